import { ANONYMOUS, GATEWAY } from '../model/audit.ts'

/** The caller of a gateway without keys. */
export const LOCAL_CALLER = 'local'

const RESERVED: readonly string[] = [LOCAL_CALLER, 'cli', 'mcp', GATEWAY, ANONYMOUS]
/** The gateway itself, people without a name, and the person at the client of a caller. */
const IN_PARENTHESES = /^\(.*\)$/s
/** People at this machine, who decide on approvals by a command. */
const LOCAL_PEOPLE = '@localhost'

/** Whether the journal and the audit use a name for somebody without a key or a token. */
export function isReserved(name: string): boolean {
  return RESERVED.includes(name) || name.endsWith(LOCAL_PEOPLE) || IN_PARENTHESES.test(name)
}
