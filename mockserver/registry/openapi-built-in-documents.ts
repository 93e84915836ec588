/** The built-in API's OpenAPI documents as texts, made when first asked for. Clusters of one server share them. */
import { type Clock } from '../ground/clock.js';
import { type BuiltInApi } from '../../openapi/built-in-api.js';
import { withDescriptions } from '../../openapi/descriptions.js';
import { type OpenApiFacts } from '../../openapi/open-api-facts.js';
import { type OpenApiBase } from './openapi-base.js';
import { type OpenApiText, openApiText } from './openapi-text.js';
import { builtInDocument, builtInDocumentNames } from './openapi-built-in.js';
import { builtInDocumentV2, type DocumentV2 } from './openapi-v2.js';

export class BuiltInOpenApiDocuments implements OpenApiBase {
  readonly versions = ['v2', 'v3'] as const;
  readonly api: BuiltInApi;
  readonly #clock: Clock;
  readonly #texts = new Map<string, OpenApiText>();
  #facts: OpenApiFacts | undefined;
  #names: ReadonlySet<string> | undefined;
  #v2: DocumentV2 | undefined;

  /** Costs nothing until a document is asked for. */
  constructor(options: { readonly api: BuiltInApi; readonly clock: Clock }) {
    this.api = options.api;
    this.#clock = options.clock;
  }

  /** What the documents are made of: the built-in API with what is said about it. */
  get facts(): OpenApiFacts {
    const { openApi, descriptions } = this.api;
    return (this.#facts ??= {
      ...openApi,
      definitions: withDescriptions(openApi.definitions, descriptions),
    });
  }

  /** Names of the documents of version 3, sorted: `api`, `api/v1`, `apis/apps`. */
  get names(): ReadonlySet<string> {
    return (this.#names ??= new Set(builtInDocumentNames(this.api.openApi)));
  }

  /** One document of version 3; undefined when there is none of that name. */
  document(name: string): OpenApiText | undefined {
    const known = this.#texts.get(name);
    if (known !== undefined || !this.names.has(name)) return known;
    const made = openApiText(builtInDocument(this.facts, name), this.#clock.now());
    this.#texts.set(name, made);
    return made;
  }

  /** The document of version 2, to be joined with what custom resources add. */
  get v2(): DocumentV2 {
    return (this.#v2 ??= builtInDocumentV2(this.facts));
  }
}
