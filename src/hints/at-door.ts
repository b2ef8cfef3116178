import type { Door } from '../model/door.ts'
import type { Hint, HintAtDoor } from './hint.ts'

type Names = Readonly<Record<string, Readonly<Partial<Record<Door['kind'], string>>>>>

/** The counterparts of an endpoint at the other doors. Where a door has none, the hint names nothing. */
const TOOLS: Names = {
  'GET /v1/capabilities/{id}': {
    mcp: 'tools/list',
    mcp_search: 'describe',
    command: 'signalbox capabilities {id}',
  },
  'POST /v1/capabilities/{id}/explain': { command: 'signalbox explain {id}' },
}

/** The counterparts of an option of an HTTP request at the other doors. */
const FIELDS: Names = {
  'X-Upstream-Authorization': {
    mcp: 'X-Upstream-Authorization',
    mcp_search: 'X-Upstream-Authorization',
  },
  fields: { mcp: 'fields', mcp_search: 'fields' },
}

const ENDPOINT = /^[A-Z]{3,7} \//
const CAPABILITY = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+$/

/** The hint with the names that hold at a door. Leaves out what the door does not have. */
export function hintAtDoor({ tool, field, ...hint }: Hint, door: Door): HintAtDoor {
  const [ownTool, ownField] = [toolAt(tool, door), fieldAt(field, door)]
  return {
    ...hint,
    ...(ownTool === undefined ? {} : { tool: ownTool, ...calledBy(tool, door) }),
    ...(ownField === undefined ? {} : { field: ownField }),
  }
}

/** The name of the tool alone would not say what to call. */
function calledBy(tool: string | undefined, { kind }: Door): Pick<HintAtDoor, 'capability'> {
  const isCalled = kind === 'mcp_search' && tool !== undefined && CAPABILITY.test(tool)
  return isCalled ? { capability: tool } : {}
}

function toolAt(tool: string | undefined, door: Door): string | undefined {
  if (tool === undefined) return tool
  if (ENDPOINT.test(tool)) return door.kind === 'http' ? tool : TOOLS[tool]?.[door.kind]
  if (!CAPABILITY.test(tool)) return tool
  const name = door.nameOf(tool)
  if (name === null) return undefined
  return door.kind === 'command' ? `signalbox call ${name}` : name
}

function fieldAt(field: string | undefined, door: Door): string | undefined {
  if (field === undefined || door.kind === 'http') return field
  return field in FIELDS ? FIELDS[field]?.[door.kind] : field
}
