/**
 * The allowed imports of each folder. A folder imports itself and the folders of its list, nothing else. `npm run lint` holds
 * this through oxlint.config.ts; docs/architecture.md says what each folder is for.
 */

const BASE = ['src/model', 'src/lib']
const CALL = [
  'src/access',
  'src/answer',
  'src/attempt',
  'src/plan',
  'src/engine',
  'src/state',
  'src/journal',
  'src/cards',
  'src/hints',
  'src/expressions',
  ...BASE,
]
const ABOVE_CALL = ['src/call', ...CALL, 'src/render', 'src/observe']
/** The parts that only a composition root puts together. */
const PARTS = ['routes', 'adapters', 'sandbox']

export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  'src/lib': ['package.json'],
  'src/model': ['src/lib'],
  'src/expressions': BASE,
  'src/hints': BASE,
  'src/credentials': BASE,
  'src/cards': ['src/credentials', 'src/expressions', 'src/hints', ...BASE],
  'src/journal': BASE,
  'src/state': ['src/journal/postgres', ...BASE],
  'src/engine': ['src/cards', 'src/hints', 'src/journal', 'src/state', ...BASE],
  'src/plan': ['src/engine', 'src/state', 'src/expressions', ...BASE],
  'src/attempt': ['src/plan', 'src/engine', 'src/state', 'src/expressions', ...BASE],
  'src/answer': ['src/engine', ...BASE],
  'src/call': CALL,
  'src/render': ['src/cards', 'src/hints', 'src/expressions', ...BASE],
  'src/access': ['src/journal', 'src/state', 'src/expressions', ...BASE],
  'src/observe': ['src/engine', 'src/journal', 'src/state', ...BASE],
  'src/gateway': [...ABOVE_CALL, ...PARTS],
  'src/tools': [...ABOVE_CALL, 'src/gateway'],
  'src/commands': [...ABOVE_CALL, 'src/gateway', 'src/tools'],
  'adapters/failures': [...BASE, 'src/expressions'],
  'adapters/http': [...BASE, 'adapters/failures'],
  'adapters/http/wire': BASE,
  'adapters/http/read': [...BASE, 'adapters/failures', 'adapters/http/wire'],
  'adapters/http/judge': [
    ...BASE,
    'src/expressions',
    'adapters/failures',
    'adapters/http/wire',
    'adapters/http/read',
  ],
  'adapters/rest': [...BASE, 'adapters/failures', 'adapters/http'],
  'adapters/graphql': [...BASE, 'src/expressions', 'adapters/failures', 'adapters/http'],
  'adapters/cli': [...BASE, 'src/expressions', 'adapters/failures', 'adapters/http'],
  routes: [
    'src/call',
    'src/render',
    'src/access',
    'src/journal',
    'src/observe',
    'src/cards',
    'src/hints',
    ...BASE,
  ],
  sandbox: [],
}

/** Commands that are a door of their own, and so put parts together like `src/gateway`. */
export const COMPOSING = ['src/commands/batch.ts', 'src/commands/demo.ts', 'src/commands/mcp.ts']
