/** DefaultStorageClass, DefaultIngressClass: what names no class gets the one that is marked as the default. */
import { member, objectMember, stringMember } from '../../ground/json.js';
import { type ApiObject, EMPTY, nameOf } from '../../ground/object.js';
import { type GroupResource } from '../../ground/kind.js';
import { type AdmissionPlugin } from '../admission-plugin.js';
import { type KindContext } from '../kind-context.js';

interface DefaultedClass {
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
function withDefaultClass(
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

const ofNew = (name: string, of: GroupResource, defaulted: DefaultedClass): AdmissionPlugin => ({
  name,
  resources: [of],
  admit: ({ operation, subresource, object }, context) =>
    operation === 'create' && subresource === '' ? withDefaultClass(object, defaulted, context) : object,
});

export const defaultStorageClass = ofNew(
  'DefaultStorageClass',
  { group: '', resource: 'persistentvolumeclaims' },
  {
    classes: { group: 'storage.k8s.io', resource: 'storageclasses' },
    mark: 'storageclass.kubernetes.io/is-default-class',
    name: 'storageClassName',
    oldAnnotation: 'volume.beta.kubernetes.io/storage-class',
  },
);

export const defaultIngressClass = ofNew(
  'DefaultIngressClass',
  { group: 'networking.k8s.io', resource: 'ingresses' },
  {
    classes: { group: 'networking.k8s.io', resource: 'ingressclasses' },
    mark: 'ingressclass.kubernetes.io/is-default-class',
    name: 'ingressClassName',
    oldAnnotation: 'kubernetes.io/ingress.class',
  },
);
