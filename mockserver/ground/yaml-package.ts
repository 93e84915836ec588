/** The package `yaml`, loaded when the first text is read: a server that meets none does not pay for it. */
import { createRequire } from 'node:module';
import type * as Package from 'yaml';

export type YamlPackage = typeof Package;
export type Alias = Package.Alias;
export type ParsedDocument = Package.Document.Parsed;
export type Node = Package.Node;
export type Pair = Package.Pair;
export type Scalar = Package.Scalar;
export type YAMLMap = Package.YAMLMap;
export type YAMLSeq = Package.YAMLSeq;

// as: createRequire types what it loads as unknown
export const loadYaml = (): YamlPackage => createRequire(import.meta.url)('yaml') as YamlPackage;
