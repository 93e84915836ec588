/** Admission that fills in the class that is marked as the default one. */
import { member, objectMember, stringMember } from '../../ground/json.js';
import { type ApiObject, EMPTY, nameOf } from '../../ground/object.js';
import { type GroupResource } from '../../ground/kind.js';
import { type KindContext } from '../kind-context.js';

export interface DefaultedClass {
  /** Of the classes. */
  readonly classes: GroupResource;
  /** The annotation of a class that is `"true"` on the default one. */
  readonly mark: string;
  /** Member of the spec that names a class. */
  readonly name: string;
  /** An annotation of old that names the class in its place. */
  readonly oldAnnotation?: string;
}

/**
 * The object with the name of the default class where it names none; `''` is a name.
 *
 * Of several defaults the newest, then the first by name.
 * Source: kubernetes plugin/pkg/admission/storage/storageclass/setdefault, plugin/pkg/admission/network/defaultingressclass.
 */
export function withDefaultClass(
  object: ApiObject,
  { classes, mark, name, oldAnnotation }: DefaultedClass,
  context: Pick<KindContext, 'listAll'>,
): ApiObject {
  const spec = objectMember(object, 'spec') ?? EMPTY;
  if (member(spec, name) !== undefined) return object;
  const annotations = objectMember(object.metadata, 'annotations');
  if (oldAnnotation !== undefined && member(annotations, oldAnnotation) !== undefined) return object;
  const found = context
    .listAll(classes.group, classes.resource)
    .filter((one) => stringMember(objectMember(one.metadata, 'annotations'), mark) === 'true')
    .sort((a, b) => compareText(createdAt(b), createdAt(a)) || compareText(nameOf(a), nameOf(b)))[0];
  return found === undefined ? object : { ...object, spec: { ...spec, [name]: nameOf(found) } };
}

const createdAt = (object: ApiObject): string => stringMember(object.metadata, 'creationTimestamp') ?? '';

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
