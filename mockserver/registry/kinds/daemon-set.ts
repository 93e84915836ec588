/** DaemonSets: how often their template changed stands in an annotation. */
import { type JsonObject, jsonEqual, member, objectMember, stringMember } from '../../ground/json.js';
import { type ApiObject, editMetadata, withMetadata } from '../../ground/object.js';
import { type KindRules } from '../kind-rules.js';

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

/** Source: kubernetes registry/apps/daemonset/strategy.go; apis/apps/v1/conversion.go for the annotation. */
export const daemonSetRules: KindRules = {
  group: 'apps',
  resource: 'daemonsets',
  blankMetadata: (metadata) => countedMetadata(metadata, 0),

  prepareForCreate: (object) => withTemplateGeneration(object, Math.max(templateGenerationOf(object), 1)),

  prepareForUpdate(next, previous) {
    const before = templateGenerationOf(previous);
    const changed = !jsonEqual(templateOf(next), templateOf(previous));
    return withTemplateGeneration(next, changed ? before + 1 : before);
  },
};

const templateOf = (object: ApiObject): ReturnType<typeof member> =>
  member(objectMember(object, 'spec'), 'template');

function templateGenerationOf({ metadata }: Pick<ApiObject, 'metadata'>): number {
  const text = stringMember(objectMember(metadata, 'annotations'), TEMPLATE_GENERATION) ?? '';
  return /^[+-]?[0-9]+$/.test(text) ? Number(text) : 0;
}

function withTemplateGeneration(object: ApiObject, count: number): ApiObject {
  const metadata = countedMetadata(object.metadata, count);
  return metadata === object.metadata ? object : withMetadata(object, metadata);
}

function countedMetadata(metadata: JsonObject, count: number): JsonObject {
  const annotations = objectMember(metadata, 'annotations');
  if (stringMember(annotations, TEMPLATE_GENERATION) === String(count)) return metadata;
  return editMetadata(metadata, { annotations: { ...annotations, [TEMPLATE_GENERATION]: String(count) } });
}

/**
 * A DaemonSet with the annotation, also when nothing was counted: the count is a field of the stored form, and every version that a client sees
 * shows it.
 */
export function withCount(object: JsonObject): JsonObject {
  const metadata = objectMember(object, 'metadata');
  if (metadata === undefined) return object;
  const counted = countedMetadata(metadata, templateGenerationOf({ metadata }));
  return counted === metadata ? object : { ...object, metadata: counted };
}
