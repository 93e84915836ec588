/** `/_mock/logs`: what containers have written, read, added to and forgotten from any language. */
import { type JsonValue } from '../ground/json.js';
import { badRequest } from '../ground/status.js';
import { type LogBook } from '../registry/log-book.js';
import { logEntriesOf } from './log-entries.js';
import { json, type Routes, valueOf } from './route.js';

export const logRoutes = (logs: LogBook): Routes => ({
  logs: {
    // Entries are made of JSON members alone, but interfaces have no index signature.
    GET: () => json(200, { logs: logs.entries as unknown as JsonValue }),
    POST: async (request) => {
      const value = await valueOf(request);
      try {
        const entries = logEntriesOf(Array.isArray(value) ? value : [value]);
        logs.add(...entries);
        return json(201, { added: entries.length });
      } catch (error) {
        if (error instanceof RangeError) throw badRequest(error.message);
        throw error;
      }
    },
    DELETE: () => {
      logs.clear();
      return json(200, {});
    },
  },
});
