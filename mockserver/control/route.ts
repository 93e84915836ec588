/** One route under `/_mock/`: what its methods are given and answer. */
import { type JsonValue } from '../ground/json.js';
import { readJson } from '../ground/json-read.js';
import { badRequest, failure, StatusError } from '../ground/status.js';
import { readYaml } from '../ground/yaml.js';
import { type Answer } from '../http/answer.js';
import { readBody } from '../http/body.js';
import { type Exchange, firstHeader } from '../http/exchange.js';
import { jsonFormat } from '../http/json-format.js';
import { type Query } from '../registry/query.js';

export interface RouteRequest {
  readonly exchange: Exchange;
  readonly query: Query;
  /** What follows the name of the route; `''` for nothing. */
  readonly rest: string;
}

export type Method = (request: RouteRequest) => Answer | Promise<Answer>;

/** By name, then by HTTP method. */
export type Routes = Readonly<Record<string, Readonly<Record<string, Method>>>>;

export const json = (code: number, value: JsonValue): Answer => ({
  kind: 'value',
  code,
  value,
  encoding: { format: jsonFormat, pretty: false },
});

export const text = (body: string): Answer => ({ kind: 'text', code: 200, text: body });

/** The body as JSON or YAML; null when there is none. Errors: 400. */
export async function valueOf({ exchange }: RouteRequest): Promise<JsonValue> {
  const bytes = await readBody(exchange);
  if (bytes.length === 0) return null;
  const yaml = (firstHeader(exchange.req, 'content-type') ?? '').includes('yaml');
  const reading = yaml ? readYaml(bytes.toString('utf8')) : readJson(bytes);
  if (!reading.ok) throw badRequest(reading.error);
  return reading.value;
}

/** 404 for something of that kind that is not there. */
export const nothingNamed = (what: string, name: string): StatusError =>
  new StatusError(failure({ code: 404, reason: 'NotFound', message: `there is no ${what} named ${name}` }));
