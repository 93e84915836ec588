/** `/_mock/fake-node`: the rules by which it runs pods, read and changed from any language. */
import { podRulesOf } from '../controllers/nodes/fake-node-options.js';
import { type PodRules } from '../controllers/nodes/pod-rules.js';
import { isJsonObject, jsonArray, type JsonObject, member } from '../ground/json.js';
import { badRequest } from '../ground/status.js';
import { json, type Routes, valueOf } from './route.js';

export const fakeNodeRoutes = (rules: PodRules): Routes => ({
  'fake-node': {
    GET: () => json(200, shown(rules)),
    POST: async (request) => {
      const value = await valueOf(request);
      try {
        rules.add(...podRulesOf(isJsonObject(value) ? member(value, 'rules') : undefined));
      } catch (error) {
        if (error instanceof RangeError) throw badRequest(error.message);
        throw error;
      }
      return json(201, shown(rules));
    },
    DELETE: () => {
      rules.reset();
      return json(200, shown(rules));
    },
  },
});

const shown = ({ all }: PodRules): JsonObject => ({ rules: jsonArray(all) });
