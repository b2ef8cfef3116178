/** The examples from the documents that define the dialects, completed where they leave something out. */
import { describe, expect, test } from 'vitest'
import { assertEnvelope, checkEnvelope } from '../../../client/envelope.ts'
import { compactMessage } from '../../../src/render/profiles/compact.ts'
import { statusOf } from '../../../src/render/profiles/dotbot.ts'

describe('ghx', () => {
  const success = {
    ok: true,
    data: { id: 'R_kgDOOx', name: 'ghx', nameWithOwner: 'aryeko/ghx', isPrivate: false },
    error: null,
    meta: { capability_id: 'repo.view', route_used: 'cli', reason: 'CARD_PREFERRED' },
  }
  const failure = {
    ok: false,
    data: null,
    error: {
      code: 'NOT_FOUND',
      message: 'Repository not found',
      retryable: false,
      details: { owner: 'invalid-owner', repo: 'invalid-repo' },
    },
    meta: { capability_id: 'repo.view', route_used: 'cli', reason: 'ROUTE_FAILED' },
  }
  const attempts = [
    { route: 'cli', status: 'error', error_code: 'CLI_NOT_AVAILABLE', duration_ms: 245 },
    { route: 'graphql', status: 'success', duration_ms: 312 },
  ]

  test.each([
    ['a success', success],
    ['a failure', failure],
    ['attempts', { ...success, meta: { ...success.meta, attempts } }],
  ])('%s', (_, answer) => {
    expect(checkEnvelope('ghx', answer)).toEqual([])
  })

  test('a code that is not one of the eight is refused', () => {
    const answer = { ...failure, error: { ...failure.error, code: 'FORBIDDEN' } }
    expect(checkEnvelope('ghx', answer)).toMatchObject([{ path: 'error.code' }])
  })
})

describe('codegraph', () => {
  const around = {
    version: '1.0',
    generatedAt: '2026-01-10T12:00:00.000Z',
    workspace: { root: '/home/user/project', repoName: 'project' },
  }
  const digest = (approxTokens: number) => ({
    success: true,
    data: {
      tool: 'ouroborosai_graph_digest',
      requestId: 'a1b2c3d4',
      ...around,
      result: {
        summary: { files: 142, modules: 38, entrypoints: 12, edges: 487 },
        entrypoints: { routes: ['GET /api/users'], commands: [], pages: [], jobs: [] },
        hotspots: [{ path: 'src/core/engine.ts', importers: 24, exports: 8 }],
        issues: { HANDLER_UNREACHABLE: 3, DYNAMIC_EDGE_UNKNOWN: 7 },
        meta: { lastIndexed: '2026-01-10T12:00:00Z', tokensEstimate: 480 },
      },
      meta: {
        approxTokens,
        truncated: false,
        limits: { maxItems: 10 },
        nextQuerySuggestion: [
          {
            tool: 'ouroborosai_graph_issues',
            args: { severity: 'error', limit: 20 },
            reason: 'Issues detected - review errors first',
          },
        ],
      },
    },
  })
  const issues = (approxTokens: number) => ({
    success: false,
    data: {
      tool: 'ouroborosai_graph_issues',
      requestId: 'x9y8z7w6',
      ...around,
      result: {
        error: {
          code: 'INVALID_INPUT',
          message: 'Invalid input: kind must be one of HANDLER_UNREACHABLE, DYNAMIC_EDGE_UNKNOWN',
          details: { errors: [{ path: ['kind'], message: 'Invalid enum value' }] },
        },
      },
      meta: { approxTokens, truncated: false, limits: {} },
    },
  })

  // The sizes in the document's examples contradict its rule for them. Everything else is correct.
  test.each([
    ['a success', digest, 520],
    ['a failure', issues, 150],
  ])('%s is valid once its size is corrected', (_, make, claimed) => {
    const [fault, ...others] = checkEnvelope('codegraph', make(claimed))
    expect(others).toEqual([])
    expect(fault?.path).toBe('data.meta.approxTokens')
    const measured = Number(/\d+/.exec(fault?.message ?? '')?.[0])
    expect(checkEnvelope('codegraph', make(measured))).toEqual([])
  })

  test('an optional member is left out, never null', () => {
    const { success, data } = digest(100)
    const answer = { success, data: { ...data, meta: { ...data.meta, page: null } } }
    expect(checkEnvelope('codegraph', answer)).toMatchObject([{ path: 'data.meta.page' }])
  })
})

describe('budgeted', () => {
  const success = {
    ok: true,
    data: {},
    tokenBudget: { requested: 800, used: 412, max: 10_000 },
    truncated: true,
    dropped: {
      kind: 'references',
      count: 20,
      note: 'Dropped 20 references to fit tokenBudget=800.',
    },
    warnings: ['3 file(s) changed since the last index; their nodes carry stale:true.'],
  }
  const failure = {
    ok: false,
    error: {
      code: 'LSP_UNAVAILABLE',
      message: 'pyright-langserver not found on PATH.',
      language: 'py',
      hint: 'Install it: npm install -g pyright.',
    },
    tokenBudget: { requested: 2000, used: 61, max: 10_000 },
    truncated: false,
    warnings: [],
  }

  test.each([
    ['a success', success],
    ['a failure', failure],
  ])('%s', (_, answer) => {
    expect(checkEnvelope('budgeted', answer)).toEqual([])
  })

  test('exceeding the budget and hiding a cut are both reported', () => {
    const tokenBudget = { requested: 800, used: 801, max: 10_000 }
    const faults = checkEnvelope('budgeted', { ...success, tokenBudget, truncated: false })
    expect(faults.map(({ path }) => path)).toEqual(['tokenBudget.used', 'truncated'])
  })
})

describe('compact', () => {
  const err = {
    code: 'VALIDATION_INVALID_MODULE_ID',
    msg: "Module 'auth/invalid' not found.",
    retry: false,
    hintId: 'hint_mod_invalid_001',
  }

  test('an error', () => {
    expect(checkEnvelope('compact', { err })).toEqual([])
  })

  test('its message is the first sentence of the original', () => {
    const long =
      "Module 'auth/invalid' not found. Did you mean 'auth/core'? Available: auth/core, …"
    expect(compactMessage(long)).toBe(err.msg)
  })

  test.each(['hint_mod_invalid_1', 'HINT_MOD_001', 'mod_invalid_001'])(
    '%s is not a hint id',
    hintId => {
      expect(checkEnvelope('compact', { err: { ...err, hintId } })).toMatchObject([
        { path: 'err.hintId' },
      ])
    },
  )
})

describe('dotbot', () => {
  const structure = {
    schema_id: 'dotbot-mcp-response@1',
    tool: 'solution.structure',
    version: '1.0.0',
    status: 'ok',
    summary: 'Found 12 projects in Axiome solution.',
    data: { projects: [{ alias: 'be', name: 'Axiome.Bot', type: 'dotnet-web' }] } as object,
    warnings: [] as object[],
    errors: [] as object[],
    audit: {
      timestamp: '2026-01-02T13:57:00Z',
      duration_ms: 45,
      source: '.bot/mcp/tools/solution-structure/script.ps1',
      host: 'warp',
    } as Record<string, unknown>,
  }
  const warning = {
    code: 'FRONTMATTER_MISSING',
    message: 'Standard file missing YAML frontmatter',
    path: '.bot/standards/global/naming-conventions.md',
  }
  const error = {
    code: 'PROJECT_NOT_FOUND',
    message: "Project 'NonExistentProject' not found in solution",
    details: { searched_name: 'NonExistentProject', available_projects: ['Axiome.Bot'] },
  }
  const intent = {
    recommended_next: 'solution.structure',
    reason: 'Roadmap loaded. View solution structure to see projects.',
    parameters: {},
  }
  const action = {
    id: 'view-structure',
    type: 'suggestion',
    label: 'View solution structure',
    reason: 'See updated project metadata in context',
    tool: 'solution.structure',
    parameters: {},
  }
  const written = { ...structure.audit, write_to: '.bot/solution/projects.json' }

  test.each([
    ['a success', structure],
    ['a success with warnings', { ...structure, status: 'warning', warnings: [warning] }],
    ['a failure', { ...structure, status: 'error', data: {}, errors: [error] }],
    ['an intent', { ...structure, intent }],
    ['actions', { ...structure, audit: written, actions: [action] }],
    ['an unknown host', { ...structure, audit: { ...structure.audit, host: null } }],
  ])('%s', (_, answer) => {
    expect(checkEnvelope('dotbot', answer)).toEqual([])
  })

  test.each([
    [1, 0, 'error'],
    [1, 1, 'error'],
    [0, 1, 'warning'],
    [0, 0, 'ok'],
  ])('%i errors and %i warnings give the status "%s" and no other', (errors, warnings, status) => {
    const faults = { errors: Array(errors).fill(error), warnings: Array(warnings).fill(warning) }
    expect(statusOf(faults.errors, faults.warnings)).toBe(status)
    for (const claimed of ['ok', 'warning', 'error']) {
      const reported = checkEnvelope('dotbot', { ...structure, ...faults, status: claimed })
      expect(reported.map(({ path }) => path)).toEqual(claimed === status ? [] : ['status'])
    }
  })

  test.each(Object.keys(structure))('a missing %s is reported by name', key => {
    const { [key as 'tool']: _, ...answer } = structure
    expect(checkEnvelope('dotbot', answer)).toEqual([{ path: key, message: 'is required' }])
  })

  test.each([
    ['status', { status: 'fatal' }],
    ['schema_id', { schema_id: 'dotbot-mcp-response@2' }],
    ['version', { version: '1.0' }],
    ['data', { data: [] }],
    ['audit.source', { audit: { timestamp: '2026-01-02T13:57:00Z', duration_ms: 1 } }],
    ['audit.timestamp', { audit: { ...structure.audit, timestamp: '2 January 2026' } }],
    ['audit.duration_ms', { audit: { ...structure.audit, duration_ms: 1.5 } }],
    ['warnings.0.message', { status: 'warning', warnings: [{ code: 'X' }] }],
  ])('a faulty %s is reported by name', (path, change) => {
    expect(checkEnvelope('dotbot', { ...structure, ...change }).map(fault => fault.path)).toContain(
      path,
    )
  })

  test('all faults are reported at once', () => {
    const answer = { ...structure, status: 'fatal', version: 'x', summary: 7 }
    expect(() => assertEnvelope('dotbot', answer)).toThrow(/version.*status.*summary/)
  })
})
