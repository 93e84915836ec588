import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    // The examples are projects of their own, with compilers of their own.
    ignores: [
      ...['dist/', 'node_modules/', 'coverage/', 'examples/', 'test/packaging/projects/'],
      'test/docs/within/', // what blocks of the docs are put into
    ],
  },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/dot-notation': 'off',
      '@typescript-eslint/consistent-indexed-object-style': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    // jest and vitest are extended by merging interfaces, whose parameters have the names that they have there.
    files: ['testkit/runners/*-expectations.ts'],
    rules: {
      '@typescript-eslint/no-namespace': ['error', { allowDeclarations: true }],
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      '@typescript-eslint/no-unused-vars': 'off',
    },
  },
  {
    // Time and chance are handed in: only the ground floor touches the real ones.
    files: ['mockserver/**/*.ts'],
    ignores: ['mockserver/ground/clock.ts', 'mockserver/ground/random.ts', 'mockserver/cli/**'],
    rules: {
      'no-restricted-globals': ['error', 'setTimeout', 'setInterval', 'setImmediate', 'Date'],
      'no-restricted-properties': ['error', { object: 'Math', property: 'random' }],
    },
  },
);
