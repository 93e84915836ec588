/** Formats by name: `format.dns1123Label().validate(x)`. Source: apiserver pkg/cel/library/format.go. */
import {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelKeyProblems,
  labelValueProblems,
} from '../../ground/name-syntax.js';
import { goQuote } from '../../ground/revision.js';
import { isRequestUri } from '../structural/format-uri.js';
import { formatCheck } from '../structural/formats.js';
import { noSuchOverload } from './cel-error.js';
import { type Overload, func, method } from './overload.js';
import { text } from './readers.js';
import { ListValue, NONE, Opaque, OptionalValue, type Value } from './values.js';

type Problems = (value: string) => readonly string[];

class FormatValue extends Opaque {
  readonly typeName = 'kubernetes.NamedFormat';
  readonly name: string;
  readonly problems: Problems;
  constructor(name: string, problems: Problems) {
    super();
    this.name = name;
    this.problems = problems;
  }
  equals(other: Opaque): boolean {
    return other instanceof FormatValue && other.name === this.name;
  }
}

/** What a name made from the prefix could look like: a dash at its end does not count. */
const asPrefix =
  (problems: Problems): Problems =>
  (value) =>
    problems(value.length > 1 && value.endsWith('-') ? `${value.slice(0, -1)}a` : value);

const checked =
  (format: string, problem: string): Problems =>
  (value) =>
    formatCheck(format)?.(value) === true ? [] : [problem];

const uri: Problems = (value) => {
  if (isRequestUri(value)) return [];
  return [`parse ${goQuote(value)}: ${value === '' ? 'empty url' : 'invalid URI for request'}`];
};

const FORMATS: ReadonlyMap<string, FormatValue> = new Map(
  (
    [
      ['dns1123Label', dns1123LabelProblems],
      ['dns1123Subdomain', dns1123SubdomainProblems],
      ['dns1035Label', dns1035LabelProblems],
      ['qualifiedName', labelKeyProblems],
      ['dns1123LabelPrefix', asPrefix(dns1123LabelProblems)],
      ['dns1123SubdomainPrefix', asPrefix(dns1123SubdomainProblems)],
      ['dns1035LabelPrefix', asPrefix(dns1035LabelProblems)],
      ['labelValue', labelValueProblems],
      ['uri', uri],
      ['uuid', checked('uuid', 'does not match the UUID format')],
      ['byte', checked('byte', 'invalid base64')],
      ['date', checked('date', 'invalid date')],
      ['datetime', checked('datetime', 'invalid datetime')],
    ] satisfies [string, Problems][]
  ).map(([name, problems]) => [name, new FormatValue(name, problems)]),
);

function validated(format: Value, value: string): OptionalValue {
  if (!(format instanceof FormatValue)) throw noSuchOverload();
  const problems = format.problems(value);
  return problems.length === 0 ? NONE : new OptionalValue(new ListValue(problems));
}

export const NAMED_FORMAT_LIBRARY: readonly Overload[] = [
  ...[...FORMATS].map(([name, format]) => func(`format.${name}(): format`, () => format)),
  func('format.named(string): optional(format)', (a) => new OptionalValue(FORMATS.get(text(a)))),
  method('format.validate(string): optional(list(string))', (a, b) => validated(a, text(b))),
];
