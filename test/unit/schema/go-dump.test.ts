/** Pod templates hash to what a real control plane made of them. */
import { readFileSync } from 'node:fs';
import { readJson } from '../../../mockserver/ground/json-read.js';
