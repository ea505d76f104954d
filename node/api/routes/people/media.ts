// POST /api/media/scrub: a picture without its metadata, for clients that cannot do it themselves. Nothing of it is kept.
import type { FastifyInstance, FastifyPluginCallback } from "fastify";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { IMAGE_TYPES, scrubImage } from "#shared/media/scrub-image.ts";

const { method, path, access } = rawEndpoints.scrubImage;

/** Registers the endpoint in a scope of its own: nowhere else do bodies of pictures pass. */
export function registerMediaRoutes(app: FastifyInstance): void {
  void app.register(mediaScope);
}

const mediaScope: FastifyPluginCallback = (scope, _options, done) => {
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
      const { type, bytes } = scrubImage(request.body);
      reply.type(type).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    },
  });
  done();
};
