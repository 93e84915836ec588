/** The OpenAPI documents of a real cluster as it served them, but for what its custom resources brought. */
import { type ImportedCluster } from '../../openapi/imported/imported-cluster.js';
import { type OpenApiFacts } from '../../openapi/open-api-facts.js';
import { type Clock } from '../ground/clock.js';
import { type JsonObject, isJsonArray, isJsonObject, objectMember, stringMember } from '../ground/json.js';
import { type CustomResource, customResourceOf } from './custom-resource.js';
import { type OpenApiBase } from './openapi-base.js';
import { type OpenApiText, openApiText, taggedText } from './openapi-text.js';
import { type DocumentV2 } from './openapi-v2.js';

const CUSTOM_PATH = /^\/apis\/(?<group>[^/]+)\/[^/]+\/(?:namespaces\/\{namespace\}\/)?(?<plural>[^/]+)/;

export class ImportedOpenApiDocuments implements OpenApiBase {
  readonly versions: readonly ('v2' | 'v3')[];
  readonly names: ReadonlySet<string>;
  readonly #imported: ImportedCluster;
  readonly #facts: OpenApiFacts;
  readonly #custom: readonly CustomResource[];
  readonly #clock: Clock;
  readonly #texts = new Map<string, OpenApiText>();
  #ownFacts: OpenApiFacts | undefined;
  #v2: DocumentV2 | undefined;

  /** @param facts the parts that documents about custom resources are made of, where the cluster does not tell its own */
  constructor(options: {
    readonly imported: ImportedCluster;
    readonly facts: OpenApiFacts;
    readonly clock: Clock;
  }) {
    const { imported } = options;
    this.#imported = imported;
    this.#facts = options.facts;
    this.#clock = options.clock;
    this.#custom = imported.definitions.map(customResourceOf);
    this.versions = [
      ...(imported.v2 === undefined ? [] : (['v2'] as const)),
      ...(imported.v3.size === 0 ? [] : (['v3'] as const)),
    ];
    this.names = new Set([...imported.v3.keys()].filter((name) => this.#isOwn(name)));
  }

  /** With the cluster's own words for the schemas that it has. */
  get facts(): OpenApiFacts {
    const { definitions } = this.#facts;
    return (this.#ownFacts ??= {
      ...this.#facts,
      definitions: Object.fromEntries(
        Object.entries(definitions).map(([name, schema]) => [
          name,
          this.#imported.schemas.get(name) ?? schema,
        ]),
      ),
    });
  }

  document(name: string): OpenApiText | undefined {
    const known = this.#texts.get(name);
    const served = this.#imported.v3.get(name);
    if (known !== undefined || served === undefined || !this.names.has(name)) return known;
    const pathsLeft = this.#withoutCustomPaths(objectMember(served.json, 'paths') ?? {});
    const text =
      pathsLeft === undefined
        ? taggedText(served.text, this.#clock.now())
        : openApiText({ ...served.json, paths: pathsLeft }, this.#clock.now());
    this.#texts.set(name, text);
    return text;
  }

  get v2(): DocumentV2 {
    return (this.#v2 ??= this.#documentV2(this.#imported.v2?.json ?? {}));
  }

  #documentV2(json: JsonObject): DocumentV2 {
    const paths = objectMember(json, 'paths') ?? {};
    const definitions = objectMember(json, 'definitions') ?? {};
    return {
      ...json,
      swagger: stringMember(json, 'swagger') ?? '2.0',
      info: objectMember(json, 'info') ?? {},
      paths: this.#withoutCustomPaths(paths) ?? paths,
      definitions: Object.fromEntries(
        Object.entries(definitions).filter(([, schema]) => !this.#isCustomSchema(schema)),
      ),
    };
  }

  /** Whether a document is about more than custom resources. */
  #isOwn(name: string): boolean {
    const paths = objectMember(this.#imported.v3.get(name)?.json, 'paths') ?? {};
    const left = this.#withoutCustomPaths(paths);
    return left === undefined || Object.keys(left).length > 0;
  }

  /** Undefined where all paths stay. */
  #withoutCustomPaths(paths: JsonObject): JsonObject | undefined {
    const entries = Object.entries(paths);
    const left = entries.filter(([path]) => !this.#isCustomPath(path));
    return left.length === entries.length ? undefined : Object.fromEntries(left);
  }

  #isCustomPath(path: string): boolean {
    const { group, plural } = CUSTOM_PATH.exec(path)?.groups ?? {};
    return this.#custom.some((one) => one.group === group && one.names.plural === plural);
  }

  #isCustomSchema(schema: JsonObject[string]): boolean {
    const kinds = isJsonObject(schema) ? schema['x-kubernetes-group-version-kind'] : undefined;
    if (!isJsonArray(kinds) || kinds.length !== 1) return false;
    const [kind] = kinds;
    return (
      isJsonObject(kind) &&
      this.#custom.some(
        ({ group, names }) =>
          group === kind['group'] && (names.kind === kind['kind'] || names.listKind === kind['kind']),
      )
    );
  }
}
