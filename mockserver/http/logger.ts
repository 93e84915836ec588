/** Where the server says what no client is told. */
export interface Logger {
  /** An error nobody expected. `cause` is what was thrown. */
  error(message: string, cause?: unknown): void;
}

export const silentLogger: Logger = { error: () => undefined };
