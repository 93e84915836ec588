/** `/_mock/logs`: what containers have written, read, added to and forgotten from any language. */
import { jsonArray } from '../ground/json.js';
import { badRequest } from '../ground/status.js';
import { type LogBook } from '../registry/log-book.js';
import { logEntriesOf } from './log-entries.js';
import { json, type Routes, valueOf } from './route.js';

export const logRoutes = (logs: LogBook): Routes => ({
  logs: {
    GET: () => json(200, { logs: jsonArray(logs.entries) }),
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
