/** CustomResourceDefinitions: names that follow from the kind, and no conversion. */
import { type JsonObject, member, objectMember, stringMember } from '../../ground/json.js';
import { type WrittenDefault } from './written-default.js';

const EXTENSIONS = 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1';

/** Source: apiextensions apis/apiextensions/v1/defaults.go. */
export const customResourceDefinitionDefaults: readonly WrittenDefault[] = [
  { message: `${EXTENSIONS}.CustomResourceDefinitionSpec`, fill: definition, rules: ['d251'] },
];

function definition(spec: JsonObject): JsonObject {
  const names = objectMember(spec, 'names') ?? {};
  const kind = stringMember(names, 'kind') ?? '';
  const singular = (stringMember(names, 'singular') ?? '') === '' && kind !== '';
  const listKind = (stringMember(names, 'listKind') ?? '') === '' && kind !== '';
  const next =
    member(spec, 'conversion') === undefined ? { ...spec, conversion: { strategy: 'None' } } : spec;
  if (!singular && !listKind) return next;
  const { plural, singular: one, shortNames, listKind: list, categories } = names;
  return {
    ...next,
    names: present({
      plural,
      singular: singular ? kind.toLowerCase() : one,
      shortNames,
      kind,
      listKind: listKind ? `${kind}List` : list,
      categories,
    }),
  };
}

function present(members: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
  const out: Record<string, JsonObject[string]> = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) out[name] = value;
  return out;
}
