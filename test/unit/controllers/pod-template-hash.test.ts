/** Pod templates hash to what a real control plane made of them. */
import { loadBuiltInApi } from '../../../openapi/built-in-api.js';
import { podTemplateHash } from '../../../mockserver/controllers/workloads/pod-template-hash.js';
import { type JsonObject } from '../../../mockserver/ground/json.js';
import { goDump } from '../../../mockserver/schema/go-dump.js';
import { readRecorded } from '../schema/recorded.js';

const { goLayouts } = loadBuiltInApi();
const { cases } = readRecorded('fixtures/recorded/pod-template-hashes.json') as {
  cases: readonly { name: string; hash: string; collisionCount?: number; template: JsonObject }[];
};

test.each(cases)(
  'the hash of a template is the recorded one: $name',
  ({ hash, collisionCount, template }) => {
    expect(podTemplateHash(goLayouts, template, collisionCount)).toBe(hash);
  },
);

test.each([
  { goType: '*int32', value: null, text: '(*int32)<nil>' },
  { goType: '*int32', value: 3, text: '(*int32)3' },
  { goType: '[]string', value: [], text: '([]string)<nil>' },
  { goType: '[]string', value: ['a b', ''], text: '([]string)[a b ]' },
  { goType: 'map[string]string', value: { b: '1', B: '2' }, text: '(map[string]string)map[B:2 b:1]' },
  { goType: 'v1.Sysctl', value: { name: 'n' }, text: '(v1.Sysctl){Name:(string)n Value:(string)}' },
])('a dump of $goType is $text', ({ goType, value, text }) => {
  expect(goDump(goLayouts, goType, value)).toBe(text);
});
