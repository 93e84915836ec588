/** The OpenAPI documents that a cluster has before there are custom resources. */
import { type OpenApiFacts } from '../../openapi/open-api-facts.js';
import { type OpenApiText } from './openapi-text.js';
import { type DocumentV2 } from './openapi-v2.js';

export interface OpenApiBase {
  /** Those of OpenAPI that are served at all. */
  readonly versions: readonly ('v2' | 'v3')[];
  /** What documents about custom resources are made of: shared parameters, the schemas of metadata, options and Status. */
  readonly facts: OpenApiFacts;
  /** Names of the documents of version 3: `api`, `api/v1`, `apis/apps`. */
  readonly names: ReadonlySet<string>;
  /** One document of version 3; undefined when there is none of that name. */
  document(name: string): OpenApiText | undefined;
  /** The document of version 2, to be joined with what custom resources add. Not to be asked where that is not served. */
  readonly v2: DocumentV2;
}
