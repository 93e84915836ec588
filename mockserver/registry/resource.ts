/** One resource as one group version serves it, and what its versions share. */
import { type JsonObject } from '../ground/json.js';
import { type ApiObject } from '../ground/object.js';
import { type GroupResource, type GroupVersionKind, apiVersionOf } from '../ground/kind.js';
import { type MemberOrder } from '../ground/object-meta.js';
import { type StoredObject } from '../ground/stored-object.js';
import { type StructType } from '../patch/value-type.js';
import { type Codec } from '../schema/codec.js';
import { type CacheMode } from '../watch/watch-cache.js';
import { type KindValidation } from './kind-validation.js';
import { type Conversion, type KindRules, type SubresourceRules } from './kind-rules.js';
import { type Strategy } from './strategy.js';

/** Fills in defaults. @param now milliseconds since 1970, for the few members whose default is the time */
export type Fill = (object: ApiObject, now: number) => ApiObject;

/** What all versions of a resource have in common: its objects. */
export interface ResourceStore {
  /** Names the objects in messages: that of the stored version. */
  readonly groupResource: GroupResource;
  readonly prefix: string;
  /** How its watch cache stands to the store; see `Cluster.cacheOf`. */
  readonly cacheMode: CacheMode;
  readonly strategy: Strategy;
  readonly rules: KindRules | undefined;
  /** Beyond the schema; undefined for kinds of which any decoded object is good. */
  readonly validation?: KindValidation;
  readonly namespaced: boolean;
  /** Of the stored version. */
  readonly apiVersion: string;
  readonly codec: Codec;
  /** Defaults of the stored version: what decoding a stored object adds. */
  readonly fill: Fill;
  /** Takes away what belongs to features that are off; absent where nothing does. */
  readonly drop?: Fill;
  /** Throws a StatusError when no object of that name may be created now. */
  readonly admitCreate?: (name: string) => void;
}

export interface Subresource {
  readonly name: string;
  readonly kind: GroupVersionKind;
  readonly verbs: readonly string[];
  /** Of its kind; undefined where that is the object's own. */
  readonly codec?: Codec;
  /** Defaults of its kind, where it has a codec of its own. */
  readonly fill?: Fill;
  /** Of its kind, for strategic merge patches; undefined where it knows none, or has the object's own kind. */
  readonly valueType?: () => StructType;
  /** Undefined for a part of the object, such as its status. */
  readonly rules?: SubresourceRules;
}

/** How a version shows what is stored, when that takes more than a conversion. */
export interface View {
  /** Tells apart what the object may be shown as; of one version under one schema. */
  readonly name: string;
  /** Answers its argument when nothing changes. */
  readonly show: (stored: ApiObject) => ApiObject;
}

/** What has to be done beforehand, where showing an object may take a webhook. */
export interface WebhookVersion {
  /** Asks for one object, whether or not it was asked for before. Errors: 500 with what the webhook failed with. */
  readonly ask: (stored: ApiObject) => Promise<void>;
  /** Asks for those that it was not asked for yet; failures are told when the objects are shown. */
  readonly askAll: (stored: readonly ApiObject[]) => Promise<void>;
  /** The object in another version. Errors: AwaitsConversion; 500 with what the webhook failed with. */
  readonly convert: (object: ApiObject, wanted: string) => ApiObject;
  /** Begins a watch, which needs every object from now on. Answers how to end that. */
  readonly watch: () => () => void;
  /** Before an object is stored. Errors: AwaitsConversion. */
  readonly prepare: (stored: ApiObject) => void;
}

export interface Resource extends GroupVersionKind {
  /** The plural. */
  readonly resource: string;
  readonly singular: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly storageVersionHash: string | undefined;
  readonly subresources: ReadonlyMap<string, Subresource>;
  /** Whether it comes from a CustomResourceDefinition. */
  readonly custom: boolean;
  /** Of a custom resource: the additionalPrinterColumns of this version, as its definition has them. */
  readonly printerColumns?: readonly JsonObject[];
  /** Of a custom resource: the structural schema of this version as its definition has it; absent without one. */
  readonly schema?: JsonObject | undefined;
  readonly codec: Codec;
  /** What strategic merge patches go by; undefined for custom resources, which have none. */
  readonly valueType: (() => StructType) | undefined;
  /** Defaults of this version. */
  readonly fill: Fill;
  readonly store: ResourceStore;
  /** Undefined for the stored version. */
  readonly conversion: Conversion | undefined;
  /** Of a custom resource: the schema may have changed since an object was stored. */
  readonly view?: View;
  /** Of a custom resource whose versions a webhook converts. */
  readonly webhook?: WebhookVersion | undefined;
  /** Fields that a fieldSelector may name in this version. */
  readonly fieldSelectors: readonly string[];
  /** Texts of `Warning` headers on every request. */
  readonly requestWarnings: readonly string[];
}

export const groupResourceOf = (resource: Resource): GroupResource => ({
  group: resource.group,
  resource: resource.resource,
});

/** Group and Kind in the place of group and resource, as validation errors name things. */
export const groupKindOf = (resource: Resource): GroupResource => ({
  group: resource.group,
  resource: resource.kind,
});

export const memberOrderOf = (resource: Resource): MemberOrder => (resource.custom ? 'sorted' : 'typed');

/** A stored object as readers of this version see it. Made once per object, then shared. */
export function present(resource: Resource, stored: StoredObject): StoredObject {
  const shown = resource.store.rules?.shown;
  const object = inVersion(resource, stored);
  return shown === undefined ? object : object.form('shown', shown);
}

/** A stored object in this version, whole: what writes begin with. */
export function inVersion(resource: Resource, stored: StoredObject): StoredObject {
  const { conversion, codec, view } = resource;
  if (view !== undefined) return stored.form(view.name, view.show);
  if (conversion === undefined) return stored;
  return stored.form(apiVersionOf(resource), (object) => codec.arrange(conversion.fromStorage(object)));
}

/** An object of this version as it is stored, in wire order. */
export function toStorage(resource: Resource, object: ApiObject): ApiObject {
  const { conversion, store } = resource;
  return conversion === undefined ? object : store.codec.arrange(conversion.toStorage(object));
}

/**
 * An object of this version as the stored version lets it be: what the conversion fills in is owned by who wrote.
 * Shape: the object itself where nothing is converted.
 */
export function throughStorage({ conversion, custom, codec, store }: Resource, object: ApiObject): ApiObject {
  if (conversion === undefined || custom) return object;
  return codec.arrange(conversion.fromStorage(store.codec.arrange(conversion.toStorage(object))));
}

/** A resource as one of its subresources shows it: with that one's kind in the place of its own. */
export function inKindOf(resource: Resource, subresource: Subresource): Resource {
  const { kind, codec, valueType, fill } = subresource;
  if (codec === undefined) return resource;
  const { group, version, kind: name } = kind;
  return {
    ...resource,
    group,
    version,
    kind: name,
    codec,
    valueType,
    fill: fill ?? resource.fill,
    conversion: undefined,
    custom: false,
  };
}

/**
 * The form in which a write is prepared and validated: a built-in kind's stored one, a custom resource's own version,
 * since its versions have schemas of their own. `fromWorking` leads back to what is stored.
 */
export function toWorking(resource: Resource, object: ApiObject): ApiObject {
  if (resource.custom) return object;
  const stored = toStorage(resource, object);
  return resource.store.rules?.storedAsJson === true ? stored : resource.store.codec.asStored(stored);
}

export function fromWorking(resource: Resource, object: ApiObject): ApiObject {
  return resource.custom ? toStorage(resource, object) : object;
}

/** The current object in the form in which it is compared with the next one. */
export function workingFormOf(resource: Resource, stored: StoredObject): ApiObject {
  return resource.custom ? present(resource, stored).object : stored.object;
}

/** Of the working form. */
export const workingCodec = (resource: Resource): Codec =>
  resource.custom ? resource.codec : resource.store.codec;
