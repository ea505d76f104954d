// Constants that the build writes into the interface.

/** Version of the package. */
declare const __APP_VERSION__: string;
