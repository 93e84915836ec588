/** The server's own part in the life of custom resource definitions: they become resources, and go with their objects. */
import { formatTime } from '../ground/clock.js';
import { jsonEqual, type JsonObject } from '../ground/json.js';
import { apiVersionOf } from '../ground/kind.js';
import { objectMember, stringMember } from '../ground/json.js';
import {
  type ApiObject,
  deletionTimestampOf,
  finalizersOf,
  generationOf,
  nameOf,
  namespaceOf,
} from '../ground/object.js';
import { type StoredObject } from '../ground/stored-object.js';
import { type ReplicasPaths } from '../patch/scale-ownership.js';
import { customCodec } from '../schema/custom-codec.js';
import { CustomSchema } from '../schema/structural/custom-schema.js';
import { scopeRange } from '../store/key.js';
import { type Cluster } from './cluster.js';
import { customValidation } from './custom-validation.js';
import { remove } from './delete.js';
import { customScale } from './custom-scale.js';
import { type Conversion } from './kind-rules.js';
import { registrationStep } from './kinds/custom-resource-definition-registration.js';
import { acceptedNames, groupOf, specOf, versionsOf } from './kinds/custom-resource-definition-spec.js';
import {
  admitCustomResource,
  servedVersionsOf,
  type ServedVersion,
} from './kinds/custom-resource-definition-versions.js';
import {
  CLEANUP_FINALIZER,
  customResourceDefinitionRules,
  withInstanceDeletion,
  withoutCleanupFinalizer,
} from './kinds/custom-resource-definition.js';
import { customPrefix } from './kinds/storage-prefix.js';
import { atRevision } from './meta-stamp.js';
import { type Resource, type Subresource, type WebhookVersion } from './resource.js';
import { SCALE_KIND } from './scale.js';
import { customStrategy } from './strategy.js';
import { type WebhookConversion, webhookConversionOf } from './webhook-conversion.js';

/** In the order in which discovery lists them for custom resources. */
const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'] as const;
const SUBRESOURCE_VERBS = ['get', 'patch', 'update'] as const;

/** Objects of a definition that goes that are deleted between two turns of the event loop. */
const BATCH = 100;

interface Installed {
  readonly prefix: string;
  readonly resources: readonly Resource[];
  /** Ends the look-out for deletions of its objects. */
  readonly unsubscribe: () => void;
  /** What of the definition the resources were made from: any other value makes them anew. */
  readonly made: readonly [spec: JsonObject | undefined, names: string, terminating: boolean];
}

/**
 * Watches definitions and keeps the resource table in step.
 *
 * A real server does this in controllers some 100 ms after the write; here it happens before the write is answered, with
 * the same writes in the same order. Source: apiextensions-apiserver pkg/controller/{status,establish,finalizer}.
 */
export class CustomResources {
  readonly #cluster: Cluster;
  readonly #definitions: Resource;
  readonly #installed = new Map<string, Installed>();
  /** Definitions that are to be looked at before the verb answers. */
  readonly #due = new Set<string>();
  /** Definitions that go, whose objects are being deleted. */
  readonly #emptying = new Set<string>();

  constructor(cluster: Cluster) {
    const { group, resource } = customResourceDefinitionRules;
    const definitions = cluster.resources.findStored(group, resource);
    if (definitions === undefined) throw new Error(`the built-in API has no ${resource}.${group}`);
    this.#cluster = cluster;
    this.#definitions = definitions;
    cluster.onRestore(() => this.#adopt());
    this.#adopt();
    cluster.store.subscribe(definitions.store.prefix, ({ key, current }) => {
      cluster.react(() => (current === undefined ? this.#gone(key) : this.#step(key)));
    });
  }

  /** The definitions that stand, in the order of their names. */
  get definitions(): readonly ApiObject[] {
    const { store } = this.#cluster;
    return store.range(scopeRange(this.#definitions.store.prefix, undefined)).items.map((one) => one.object);
  }

  /** Goes on with definitions whose server was ended in the midst of its own writes. */
  resume(): void {
    const { prefix } = this.#definitions.store;
    this.#cluster.commit(() => {
      for (const { key } of this.#cluster.store.range(scopeRange(prefix, undefined)).items)
        this.#cluster.react(() => this.#step(key));
    });
  }

  /** Brings the resources in step with definitions that came without a commit. */
  #adopt(): void {
    const { prefix } = this.#definitions.store;
    const { items } = this.#cluster.store.range(scopeRange(prefix, undefined));
    const keys = new Set(items.map(({ key }) => key));
    for (const key of [...this.#installed.keys()]) if (!keys.has(key)) this.#uninstall(key);
    for (const { key, object } of items) this.#install(key, object, 'long ago');
  }

  /** One write of the server's own, or, when none is left, the resources as the definition now has them. */
  #step(key: string): void {
    const stored = this.#cluster.store.get(key);
    if (stored === undefined) return;
    const time = formatTime(this.#cluster.clock.now());
    const next = registrationStep(stored.object, this.definitions, time);
    if (next !== undefined) {
      this.#write(stored, next);
      return;
    }
    this.#install(key, stored.object, 'now');
    if (deletionTimestampOf(stored.object) !== undefined) this.#terminate(key, stored, time);
  }

  /** @param since when it became a resource, for whoever watches it */
  #install(key: string, definition: ApiObject, since: 'now' | 'long ago'): void {
    const known = this.#installed.get(key);
    const terminating = deletionTimestampOf(definition) !== undefined;
    const made: Installed['made'] = [
      // A write that leaves the spec as it was may still have made it anew.
      known !== undefined && jsonEqual(known.made[0], specOf(definition))
        ? known.made[0]
        : specOf(definition),
      JSON.stringify(acceptedNames(definition)),
      terminating,
    ];
    if (known?.made.every((part, i) => part === made[i])) return;
    const versions = servedVersionsOf(definition);
    const plural = versions[0]?.plural;
    if (known !== undefined) {
      for (const resource of known.resources) this.#cluster.resources.remove(resource);
      // Its storage is made anew, so what watches it ends; a definition that only begins to go keeps its watches.
      if (known.made[0] !== made[0] || known.made[1] !== made[1]) {
        this.#cluster.closeCache(known.prefix, 'terminated');
      }
    }
    this.#installed.delete(key);
    if (plural === undefined) {
      known?.unsubscribe();
      return;
    }
    const prefix = customPrefix(groupOf(definition), plural);
    if (known === undefined && since === 'now') this.#cluster.closeCache(prefix, 'terminated');
    const resources = this.#cluster.blueprint.customResources.of(definition, () => {
      const together: Versions = {
        schemas: schemasOf(definition),
        webhook: webhookConversionOf(objectMember(specOf(definition), 'conversion'), this.#cluster.random),
      };
      return versions.map((version) => this.#resourceOf(definition, version, prefix, together));
    });
    for (const resource of resources) {
      this.#cluster.resources.add(resource);
      this.#cluster.cacheOf(resource.store);
    }
    const unsubscribe =
      known?.unsubscribe ??
      this.#cluster.store.subscribe(prefix, ({ current }) => {
        if (current === undefined) this.#lookAgain(key);
      });
    this.#installed.set(key, { prefix, resources, made, unsubscribe });
  }

  /** Once for all of its objects that go in one turn. */
  #lookAgain(key: string): void {
    if (this.#due.has(key)) return;
    this.#due.add(key);
    this.#cluster.react(() => {
      this.#due.delete(key);
      this.#step(key);
    });
  }

  #gone(key: string): void {
    this.#uninstall(key);
    // Names that it had are free now: others may have waited for them.
    const { prefix } = this.#definitions.store;
    for (const { key: other } of this.#cluster.store.range(scopeRange(prefix, undefined)).items)
      this.#step(other);
  }

  #uninstall(key: string): void {
    const known = this.#installed.get(key);
    if (known === undefined) return;
    known.unsubscribe();
    for (const resource of known.resources) this.#cluster.resources.remove(resource);
    this.#cluster.closeCache(known.prefix, 'terminated');
    this.#installed.delete(key);
  }

  /** Deletes the objects of a definition that goes; without any left, lets it go. */
  #terminate(key: string, stored: StoredObject, time: string): void {
    if (!finalizersOf(stored.object).includes(CLEANUP_FINALIZER)) return;
    const begun = withInstanceDeletion(stored.object, time);
    const begins = JSON.stringify(begun['status']) !== JSON.stringify(stored.object['status']);
    if (begins) {
      this.#write(stored, begun);
      return;
    }
    if (this.#emptying.has(key)) return;
    const resource = this.#installed.get(key)?.resources[0];
    if (resource !== undefined) {
      const range = scopeRange(resource.store.prefix, undefined);
      const staying = this.#cluster.store
        .range(range)
        .items.map(({ object }) => object)
        .filter((object) => deletionTimestampOf(object) === undefined);
      if (staying.length > 0) this.#empty(key, resource, staying);
      if (this.#cluster.store.count(range) > 0) return;
    }
    const current = this.#cluster.store.get(key);
    if (current !== undefined) this.#write(current, withoutCleanupFinalizer(current.object));
  }

  /** Deletes objects of a definition that goes: many of them in several turns, so that nobody waits for all. */
  #empty(key: string, resource: Resource, objects: readonly ApiObject[]): void {
    for (const object of objects.slice(0, BATCH)) this.#remove(resource, object);
    if (objects.length <= BATCH) return;
    this.#emptying.add(key);
    this.#cluster.pace.soon(() => {
      this.#emptying.delete(key);
      // Looks at what is there then: others may have deleted some, and the cluster may have gone back to a snapshot.
      this.#cluster.commit(() => this.#lookAgain(key));
    });
  }

  #remove(resource: Resource, object: ApiObject): void {
    remove(
      {
        cluster: this.#cluster,
        resource,
        subresource: '',
        namespace: namespaceOf(object),
        name: nameOf(object),
        largest: 0,
        warn: () => undefined,
      },
      { dryRun: false },
    );
  }

  /** Writes what the server itself changes; a definition that nothing holds any more goes instead. */
  #write(stored: StoredObject, next: ApiObject): void {
    const address = { prefix: this.#definitions.store.prefix, key: stored.key };
    const { store } = this.#cluster;
    if (deletionTimestampOf(next) !== undefined && finalizersOf(next).length === 0) {
      store.delete(address, stored.revision);
      return;
    }
    const { ownership } = this.#cluster;
    const tracked = ownership.tracked(
      { resource: this.#definitions, subresource: 'status' },
      { live: stored.object, next, creating: false, resets: false },
    );
    const arranged = this.#definitions.store.codec.arrange(tracked);
    store.update(address, stored.revision, (revision) => atRevision(this.#definitions, arranged, revision));
  }

  #resourceOf(definition: ApiObject, version: ServedVersion, prefix: string, versions: Versions): Resource {
    const { group, kind, namespaced } = version;
    const groupResource = { group, resource: version.plural };
    const apiVersion = apiVersionOf(version);
    const storageApiVersion = apiVersionOf({ group, version: version.storageVersion });
    const schema = versions.schemas.get(apiVersion);
    const codec = customCodec({ apiVersion, kind }, schema);
    const stored = apiVersion === storageApiVersion;
    const { status, scale } = version.subresources;
    const subresources: Subresource[] = [];
    if (status === true) subresources.push({ name: 'status', kind: version, verbs: SUBRESOURCE_VERBS });
    if (scale !== undefined) {
      subresources.push({
        name: 'scale',
        kind: SCALE_KIND,
        verbs: SUBRESOURCE_VERBS,
        codec: this.#cluster.scaleCodec,
        rules: { view: customScale(scale, replicasPathsOf(definition)) },
      });
    }
    return {
      group,
      version: version.version,
      kind,
      resource: version.plural,
      singular: version.singular,
      listKind: version.listKind,
      namespaced,
      verbs: VERBS,
      shortNames: version.shortNames,
      categories: version.categories,
      storageVersionHash: version.storageVersionHash,
      subresources: new Map(subresources.map((one) => [one.name, one])),
      custom: true,
      printerColumns: version.columns,
      schema: version.schema,
      codec,
      valueType: undefined,
      fill: (object) => object,
      store: {
        groupResource,
        prefix,
        cacheMode: 'cached',
        strategy: customStrategy(status === true, version.selectableFields, namespaced),
        rules: schema && customValidation(groupResource, { schema, scale }),
        namespaced,
        apiVersion: storageApiVersion,
        codec: stored ? codec : customCodec({ apiVersion: storageApiVersion, kind }),
        fill: (object) => object,
        admitCreate: (name) => admitCustomResource(definition, groupResource, name),
      },
      conversion: stored ? undefined : conversionOf(apiVersion, storageApiVersion, versions),
      webhook: webhookVersion(apiVersion, versions),
      view: {
        name: `${apiVersion} ${generationOf(definition)}`,
        show: (object) => shown(object, apiVersion, versions),
      },
      fieldSelectors: [
        'metadata.name',
        ...(namespaced ? ['metadata.namespace'] : []),
        ...version.selectableFields,
      ],
      requestWarnings: version.deprecationWarning === undefined ? [] : [version.deprecationWarning],
    };
  }
}

/** By apiVersion. */
type VersionSchemas = ReadonlyMap<string, CustomSchema>;

function schemasOf(definition: ApiObject): VersionSchemas {
  const group = groupOf(definition);
  const schemas = new Map<string, CustomSchema>();
  for (const { name, json } of versionsOf(definition)) {
    const schema = objectMember(objectMember(json, 'schema'), 'openAPIV3Schema');
    if (schema !== undefined) schemas.set(apiVersionOf({ group, version: name }), new CustomSchema(schema));
  }
  return schemas;
}

/** Of all versions, also of those that are not served. Source: apiextensions-apiserver replicasPathMapping. */
const replicasPathsOf = (definition: ApiObject): ReplicasPaths =>
  new Map(
    versionsOf(definition).map(({ name, json }) => {
      const scale = objectMember(objectMember(json, 'subresources'), 'scale');
      const path = scale === undefined ? undefined : stringMember(scale, 'specReplicasPath');
      return [apiVersionOf({ group: groupOf(definition), version: name }), path?.replace(/^\./, '') ?? null];
    }),
  );

/** How the versions of a resource become each other. */
interface Versions {
  readonly schemas: VersionSchemas;
  /** Undefined: they differ in nothing but their name, and in what their schemas know. */
  readonly webhook: WebhookConversion | undefined;
}

/**
 * The object in another version, as that one's schema knows it.
 * Source: apiextensions-apiserver apiserver/customresource_handler.go, schemaCoercingConverter.
 */
function inVersion(object: ApiObject, wanted: string, { schemas, webhook }: Versions): ApiObject {
  const next = webhook === undefined ? { ...object, apiVersion: wanted } : webhook.converted(object, wanted);
  return schemas.get(wanted)?.convert(next) ?? next;
}

const conversionOf = (apiVersion: string, storageApiVersion: string, versions: Versions): Conversion => ({
  apiVersion,
  fromStorage: (object) => inVersion(object, apiVersion, versions),
  toStorage: (object) => inVersion(object, storageApiVersion, versions),
});

/** A stored object as its own version's schema has it now, defaults included. */
const restored = (object: ApiObject, { schemas }: Versions): ApiObject =>
  schemas.get(object.apiVersion)?.restore(object) ?? object;

/**
 * A stored object as one version shows it: what its own version's schema makes of it now, defaults included, then
 * what the wanted version knows of that. Defaults of the wanted version are for what is sent, not for what is read.
 */
function shown(object: ApiObject, apiVersion: string, versions: Versions): ApiObject {
  const own = restored(object, versions);
  return own.apiVersion === apiVersion ? own : inVersion(own, apiVersion, versions);
}

function webhookVersion(apiVersion: string, versions: Versions): WebhookVersion | undefined {
  const { webhook } = versions;
  if (webhook === undefined) return undefined;
  return {
    async ask(stored) {
      const own = restored(stored, versions);
      await webhook.convert([own], apiVersion, true);
      webhook.converted(own, apiVersion);
    },
    askAll: (stored) =>
      webhook.convert(
        stored.map((one) => restored(one, versions)),
        apiVersion,
      ),
    convert: (object, wanted) => webhook.converted(object, wanted),
    watch: () => webhook.watch(apiVersion),
    prepare: (stored) => webhook.prepare(restored(stored, versions), apiVersion),
  };
}
