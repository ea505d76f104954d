// The header that names the code of an error where its status says too little.

/** Of a 503 for want of room for mail: RELAY_FULL. Others have none. */
export const ERROR_CODE_HEADER = "x-error-code";
