/** DaemonSets: how often their template changed stands in an annotation. */
import { jsonEqual, member, objectMember, stringMember } from '../../ground/json.js';
import { type ApiObject, editMetadata, withMetadata } from '../../ground/object.js';
import { type KindRules } from '../kind-rules.js';

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

/** Source: kubernetes registry/apps/daemonset/strategy.go; apis/apps/v1/conversion.go for the annotation. */
export const daemonSetRules: KindRules = {
  group: 'apps',
  resource: 'daemonsets',

  prepareForCreate: (object) => withTemplateGeneration(object, Math.max(templateGenerationOf(object), 1)),

  prepareForUpdate(next, previous) {
    const before = templateGenerationOf(previous);
    const changed = !jsonEqual(templateOf(next), templateOf(previous));
    return withTemplateGeneration(next, changed ? before + 1 : before);
  },
};

const templateOf = (object: ApiObject): ReturnType<typeof member> =>
  member(objectMember(object, 'spec'), 'template');

function templateGenerationOf(object: ApiObject): number {
  const text = stringMember(objectMember(object.metadata, 'annotations'), TEMPLATE_GENERATION) ?? '';
  return /^[+-]?[0-9]+$/.test(text) ? Number(text) : 0;
}

function withTemplateGeneration(object: ApiObject, count: number): ApiObject {
  const annotations = objectMember(object.metadata, 'annotations');
  if (stringMember(annotations, TEMPLATE_GENERATION) === String(count)) return object;
  const edited = { ...annotations, [TEMPLATE_GENERATION]: String(count) };
  return withMetadata(object, editMetadata(object.metadata, { annotations: edited }));
}
