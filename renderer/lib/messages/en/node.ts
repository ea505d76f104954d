export const node = {} as const;
