// POST /api/media/scrub: a picture without its metadata, for clients that cannot do it themselves. Nothing of it is kept.
import type { FastifyInstance, FastifyPluginCallback } from "fastify";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { IMAGE_TYPES } from "#shared/media/image-type.ts";
import { scrubImage } from "#shared/media/scrub-image.ts";
import type { AccessGuard } from "../../security/access-guard.ts";

/** Most chunks, segments or blocks of a picture: each costs work, however small it is. docs/limits.md lists it. */
export const MAX_IMAGE_PARTS = 16_384;

const { method, path, access } = rawEndpoints.scrubImage;

/** Registers the endpoint in a scope of its own: nowhere else do bodies of pictures pass. */
export function registerMediaRoutes(app: FastifyInstance, guard: Pick<AccessGuard, "chargeBody">): void {
  void app.register(mediaScope, { guard });
}

const mediaScope: FastifyPluginCallback<{ readonly guard: Pick<AccessGuard, "chargeBody"> }> = (scope, { guard }, done) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser([...IMAGE_TYPES], { parseAs: "buffer" }, (_request, body, parsed) => parsed(null, body));
  scope.addContentTypeParser("*", (_request, _payload, parsed) => {
    parsed(new CodedError("UNSUPPORTED_MEDIA_TYPE", `Send a picture with its content-type: ${IMAGE_TYPES.join(", ")}`));
  });
  scope.route({
    method,
    url: path,
    config: { access },
    handler: (request, reply) => {
      if (!Buffer.isBuffer(request.body) || request.body.length === 0)
        throw new CodedError("BAD_REQUEST", "The body is empty: send the bytes of a picture");
      guard.chargeBody(request, { bytes: request.body.length });
      const { type, bytes } = scrubImage(request.body, MAX_IMAGE_PARTS);
      reply.type(type).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    },
  });
  done();
};
