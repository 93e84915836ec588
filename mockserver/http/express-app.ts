/** The API as an express app, for in-memory testing and for mounting it next to other routes. */
import type { Express } from 'express';
import { type ApiHandler } from './exchange.js';

/**
 * An app whose last word is the API: it answers every path that no other route has taken.
 *
 * express is loaded when this is called, so that a server that does not need it starts without it.
 *
 * @param addRoutes adds what comes before the API.
 */
export async function createApp(handler: ApiHandler, addRoutes?: (app: Express) => void): Promise<Express> {
  const { default: express } = await import('express');
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  addRoutes?.(app);
  app.use((req, res) => {
    handler(req, res);
  });
  return app;
}
