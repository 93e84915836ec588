/** What the labels of a namespace say of the pods in it. Source: pod-security-admission api/helpers.go, PolicyToEvaluate. */
import { type FieldError, invalid } from '../../ground/field-error.js';
import { member, objectMember } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { type Level, type LevelAt, type LevelVersion } from './pod-security-level.js';

export interface PodSecurityPolicy {
  readonly enforce: LevelAt;
  readonly audit: LevelAt;
  readonly warn: LevelAt;
  /** Of labels that say nothing a server knows. */
  readonly errors: readonly FieldError[];
}

const PREFIX = 'pod-security.kubernetes.io/';
const LEVELS: readonly Level[] = ['privileged', 'baseline', 'restricted'];
const isLevel = (text: string): text is Level => LEVELS.some((one) => one === text);

/** Enforcement fails closed, the rest fails open. */
export function podSecurityPolicy(namespace: ApiObject): PodSecurityPolicy {
  const labels = objectMember(namespace.metadata, 'labels');
  const errors: FieldError[] = [];
  const label = (name: string): string | undefined => {
    const value = member(labels, `${PREFIX}${name}`);
    return typeof value === 'string' ? value : undefined;
  };
  const wrong = (name: string, value: string, why: string): void => {
    errors.push(invalid(`metadata.labels[${PREFIX}${name}]`, value, why));
  };
  const mode = (name: string, fallback: Level): LevelAt => {
    const [level, version] = [label(name), label(`${name}-version`)];
    const good = level === undefined || isLevel(level);
    if (!good) wrong(name, level, `must be one of ${LEVELS.join(', ')}`);
    const read = version === undefined ? 'latest' : versionOf(version);
    if (version !== undefined && read === undefined)
      wrong(`${name}-version`, version, 'must be "latest" or "v1.x"');
    return {
      level: good ? (level ?? 'privileged') : fallback,
      version: read ?? 'latest',
    };
  };
  const enforce = mode('enforce', 'restricted');
  const audit = mode('audit', 'privileged');
  const own = mode('warn', 'privileged');
  const enforced = label('enforce');
  const follows =
    label('warn') === undefined &&
    enforced !== undefined &&
    isLevel(enforced) &&
    compareLevels(enforce.level, own.level) > 0;
  const warn = !follows
    ? own
    : { level: enforce.level, version: label('warn-version') === undefined ? enforce.version : own.version };
  return { enforce, audit, warn, errors };
}

function versionOf(text: string): LevelVersion | undefined {
  if (text === 'latest') return text;
  const minor = /^v1\.([0-9]|[1-9][0-9]*)$/.exec(text)?.[1];
  return minor === undefined ? undefined : Number(minor);
}

export const compareLevels = (a: Level, b: Level): number => LEVELS.indexOf(a) - LEVELS.indexOf(b);

export const isPrivileged = ({ enforce, audit, warn }: PodSecurityPolicy): boolean =>
  [enforce, audit, warn].every(({ level }) => level === 'privileged');
