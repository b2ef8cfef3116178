import { relative } from 'node:path'
import { COMPOSING, LAYERS } from './layers.ts'

/** Folders below a layer, at most. */
const DEEPEST = 4

/** For the files so many folders below a layer: every import that leaves it is an error, unless it is on the list. */
function holdLayer(layer: string, allowed: readonly string[], depth: number) {
  const folder = `${layer}${'/_'.repeat(depth)}`
  const group = [
    `${'../'.repeat(depth + 1)}**`,
    ...allowed.flatMap(path => {
      const way = relative(folder, path)
      return [`!${way}`, `!${way}/**`]
    }),
  ]
  const message = `${layer} may import ${allowed.join(', ') || 'nothing outside itself'}: see layers.ts.`
  return {
    files: [`${layer}/${'*/'.repeat(depth)}*.ts`],
    excludeFiles: COMPOSING,
    rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] },
  }
}

const layers = Object.entries(LAYERS).flatMap(([layer, allowed]) =>
  Array.from({ length: DEEPEST }, (_, depth) => holdLayer(layer, allowed, depth)),
)

const size = (max: number) => ['error', { max, skipBlankLines: true, skipComments: true }]

export default {
  plugins: ['typescript', 'import', 'unicorn', 'vitest'],
  categories: { correctness: 'error' },
  rules: {
    'max-lines': size(250),
    'max-lines-per-function': size(40),
    complexity: ['error', 10],
    'no-console': 'error',
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'prefer-const': 'error',
    'import/no-cycle': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': [
      'error',
      { considerDefaultExhaustiveForUnions: true },
    ],
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    'vitest/no-focused-tests': 'error',
    'vitest/no-disabled-tests': 'off',
    'unicorn/prefer-node-protocol': 'error',
  },
  overrides: [
    ...layers,
    {
      files: ['test/**/*.ts', 'bench/**/*.ts'],
      rules: {
        // A `describe` holds a list of tests: its length says nothing about any one of them.
        'max-lines-per-function': 'off',
        'max-lines': size(500),
        // Each `?.` into a parsed answer counts as a branch.
        complexity: ['error', 15],
        'no-console': 'off',
        'vitest/no-conditional-expect': 'off',
      },
    },
    {
      files: [...COMPOSING, 'bench/**/*.ts', 'docs/**/*.ts', 'inspector/**/*.ts', 'test/**/*.ts'],
      excludeFiles: ['test/sandbox/**/*.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                group: ['store', 'rest', 'graphql', 'seed'].map(it => `**/sandbox/${it}/**`),
                message: 'Import the sandbox through sandbox/index.ts.',
              },
            ],
          },
        ],
      },
    },
    { files: ['src/commands/**/*.ts', 'src/signalbox.ts'], rules: { 'no-console': 'off' } },
  ],
  // The last needs types that only `npm run openapi` makes, and which it compiles with.
  ignorePatterns: ['node_modules', 'dist', 'client/github.ts', 'test/openapi/client.ts'],
}
