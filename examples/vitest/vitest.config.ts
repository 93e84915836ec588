import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { globalSetup: 'kube-mockserver/vitest/global-setup' } });
