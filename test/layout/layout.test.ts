/** The direction of imports, the words and the borders of the house, read from the source. */
import { fileURLToPath } from 'node:url';
import { ALLOWED_WORDS, builtInNames } from './built-in-names.js';
import {
  barrels,
  cycles,
  fileNames,
  foreignImports,
  namedKinds,
  narrowImports,
  posixOnly,
  timeAndChance,
  unplannedFolders,
  upwardEdges,
  type Rule,
} from './rules.js';
import { parseSource, readSources, type SourceFile } from './source-file.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const builtIn = builtInNames(`${root}/openapi/1.36/discovery-1.36.json`);

interface Promised {
  readonly promise: string;
  readonly rule: Rule;
  /** Files that break the rule once: the rule is worth nothing unless it sees them. */
  readonly planted: Readonly<Record<string, string>>;
  readonly seen: readonly string[];
}

const PROMISES: readonly Promised[] = [
  {
    promise: 'every file is on a floor',
    rule: unplannedFolders,
    planted: { 'mockserver/cellar/wine.ts': '', 'mockserver/store/key.ts': '' },
    seen: ['mockserver/cellar/wine.ts is on no floor of the plan'],
  },
  {
    promise: 'no file imports a higher floor',
    rule: upwardEdges,
    planted: {
      'mockserver/store/memory-store.ts':
        "import { json } from '../ground/json.js';\nimport type { W } from '../watch/window.js';",
      'mockserver/watch/window.ts': "import { load } from '../../openapi/loader.js';",
      'mockserver/schema/tree.ts':
        "import { load } from '../../openapi/loader.js';\nconst x = await import('../http/path.js');",
      'openapi/loader.ts': "import { key } from '../mockserver/store/key.js';\nimport './other.js';",
    },
    seen: [
      'mockserver/store/memory-store.ts:2 (floor 1) imports mockserver/watch/window.ts (floor 2)',
      'mockserver/watch/window.ts:1 (floor 2) imports openapi/loader.ts (floor 2.5)',
      'mockserver/schema/tree.ts:2 (floor 3) imports mockserver/http/path.ts (floor 6)',
      'openapi/loader.ts:1 (floor 2.5) imports mockserver/store/key.ts (floor 1)',
    ],
  },
  {
    promise: 'no file reaches itself through imports',
    rule: cycles,
    planted: {
      'mockserver/http/a.ts': "import './b.js';",
      'mockserver/http/b.ts': "import type { C } from './c.js';",
      'mockserver/http/c.ts': "import './a.js';",
      'mockserver/http/d.ts': "import './a.js';",
    },
    seen: ['cycle: mockserver/http/a.ts <-> mockserver/http/b.ts <-> mockserver/http/c.ts'],
  },
  {
    promise: 'only mockserver/index.ts hands on the exports of others',
    rule: barrels,
    planted: {
      'mockserver/index.ts': "export { x } from './store/x.js';",
      'mockserver/store/index.ts': '',
      'mockserver/store/all.ts': "export * from './x.js';",
    },
    seen: [
      'mockserver/store/index.ts is a folder barrel',
      "mockserver/store/all.ts:1 hands on another file's exports",
    ],
  },
  {
    promise: 'files are named by a noun that says what they hold',
    rule: fileNames,
    planted: {
      'mockserver/store/store-helper.ts': '',
      'mockserver/store/util/key.ts': '',
      'mockserver/store/memoryStore.ts': '',
      'mockserver/registry/managed-fields.ts': '',
    },
    seen: [
      'mockserver/store/store-helper.ts: "helper" is not a name',
      'mockserver/store/util/key.ts: "util" is not a name',
      'mockserver/store/memoryStore.ts is not in kebab-case',
    ],
  },
  {
    promise: 'express, ajv, yaml and node:http are known to two files each at the most',
    rule: narrowImports,
    planted: {
      'mockserver/http/a.ts': "import express from 'express';",
      'mockserver/http/b.ts': "import type { Request } from 'express';",
      'mockserver/http/c.ts': "import express from 'express';\nimport http from 'node:http';",
    },
    seen: [
      'express is imported by 3 files: mockserver/http/a.ts, mockserver/http/b.ts, mockserver/http/c.ts',
    ],
  },
  {
    promise: 'the product imports no client, no test runner and none of the other folders',
    rule: foreignImports,
    planted: {
      'mockserver/facade/a.ts':
        "import { KubeConfig } from '@kubernetes/client-node';\nimport '../../fixtures/x.js';",
      'mockserver/facade/b.ts':
        "import { jest } from '@jest/globals';\nimport { load } from '../../openapi/loader.js';",
    },
    seen: [
      'mockserver/facade/a.ts:1 imports @kubernetes/client-node',
      'mockserver/facade/a.ts:2 imports fixtures/x.ts',
      'mockserver/facade/b.ts:1 imports @jest/globals',
    ],
  },
  {
    promise: 'time and chance are used on the ground floor alone',
    rule: timeAndChance,
    planted: {
      'mockserver/ground/clock.ts': 'export const now = () => Date.now();',
      'mockserver/watch/a.ts': 'const t = Date.now();\nsetTimeout(f, 1);\nconst r = Math.random();',
      'mockserver/watch/b.ts':
        "import { randomUUID, createHash } from 'node:crypto';\nglobalThis.setInterval(f, 1);",
      'mockserver/watch/c.ts':
        'interface A { Date: string; setTimeout(): void }\nconst x = a.Date; const y = { Date: 1 };',
    },
    seen: [
      'mockserver/watch/a.ts:1 uses Date',
      'mockserver/watch/a.ts:2 uses setTimeout',
      'mockserver/watch/a.ts:3 uses Math.random',
      'mockserver/watch/b.ts:2 uses setInterval',
      'mockserver/watch/b.ts:1 imports randomUUID',
    ],
  },
  {
    promise: 'nothing is asked of the machine that Windows does not have',
    rule: posixOnly,
    planted: {
      'mockserver/cli/a.ts':
        "import { readFileSync } from 'node:fs';\nreadFileSync('/tmp/x');\nreadFileSync(`${folder}/x`);\nprocess.getuid?.();",
      'mockserver/cli/b.ts':
        "import { spawn } from 'node:child_process';\nspawn('sh', ['-c']);\nchild.kill('SIGKILL');\nprocess.once('SIGTERM', f);",
      'mockserver/cli/c.ts': "import { posix } from 'node:path';",
      'mockserver/registry/kinds/pod.ts': "const mount = '/var/run/secrets';\nconst url = `${base}/x`;",
    },
    seen: [
      'mockserver/cli/a.ts:4 asks for process.getuid',
      'mockserver/cli/a.ts:2 names /tmp/x',
      'mockserver/cli/a.ts:3 joins a path by a slash: `${folder}/x`',
      'mockserver/cli/b.ts:2 names sh',
      'mockserver/cli/b.ts:3 names SIGKILL',
      'mockserver/cli/c.ts:1 takes paths for those of POSIX',
    ],
  },
  {
    promise: 'built-in kinds are named in registry/kinds/ and controllers/ alone',
    rule: namedKinds(builtIn, ALLOWED_WORDS),
    planted: {
      'mockserver/registry/kinds/pod.ts': "export const kind = 'Pod';",
      'mockserver/controllers/pods.ts': "export const plural = 'pods';",
      'mockserver/http/path.ts': "const s = 'namespaces';",
      'mockserver/http/a.ts':
        "const s = 'namespaces';\nconst k = `ConfigMap`;\nconst m = 'Status';\n// the Pod's\nconst t = 'no Pod';",
    },
    seen: ["mockserver/http/a.ts:1 names 'namespaces'", "mockserver/http/a.ts:2 names 'ConfigMap'"],
  },
];

const sources = readSources(root, ['mockserver', 'openapi']);
const planted = (texts: Readonly<Record<string, string>>): readonly SourceFile[] =>
  Object.entries(texts).map(([path, text]) => parseSource(path, text));

describe('the source', () => {
  test('is found', () => {
    expect(sources.map(({ path }) => path)).toContain('mockserver/ground/json.ts');
    expect(builtIn).toContain('Pod');
    expect(builtIn).toContain('deployments');
  });

  test.each(PROMISES)('$promise', ({ rule }) => {
    expect(rule(sources)).toEqual([]);
  });
});

describe('a planted violation is reported', () => {
  test.each(PROMISES)('$promise', ({ rule, planted: texts, seen }) => {
    expect(rule(planted(texts))).toEqual(seen);
  });
});
