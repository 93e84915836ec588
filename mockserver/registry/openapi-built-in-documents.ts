/** The built-in API's OpenAPI documents as texts, made when first asked for. Clusters of one server share them. */
import { createHash } from 'node:crypto';
import { type JsonValue } from '../ground/json.js';
import { writeJson } from '../ground/json-write.js';
import { type Clock } from '../ground/clock.js';
import { type BuiltInApi } from '../../openapi/built-in-api.js';
import { withDescriptions } from '../../openapi/descriptions.js';
import { type OpenApiFacts } from '../../openapi/open-api-facts.js';
import { builtInDocument, builtInDocumentNames } from './openapi-built-in.js';
import { builtInDocumentV2 } from './openapi-v2.js';

/** A document's text with its tag, which is also the `hash` of its URL. */
export interface OpenApiText {
  readonly body: string;
  /** Upper-case hexadecimal SHA-512 of the body. */
  readonly etag: string;
  /** When it was made, in milliseconds since 1970. */
  readonly modifiedMs: number;
}

export function openApiText(document: JsonValue, nowMs: number): OpenApiText {
  const body = writeJson(document);
  return { body, etag: createHash('sha512').update(body).digest('hex').toUpperCase(), modifiedMs: nowMs };
}

export class BuiltInOpenApiDocuments {
  readonly api: BuiltInApi;
  readonly #clock: Clock;
  readonly #texts = new Map<string, OpenApiText>();
  #facts: OpenApiFacts | undefined;
  #names: ReadonlySet<string> | undefined;
  #v2: ReturnType<typeof builtInDocumentV2> | undefined;

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
  get v2(): ReturnType<typeof builtInDocumentV2> {
    return (this.#v2 ??= builtInDocumentV2(this.facts));
  }
}
