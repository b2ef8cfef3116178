import { constants } from 'node:os'
import { type Verdict, verdict } from '../verdict.ts'
import { type Meaning, RANK, type RankName } from './meaning.ts'

/** Nothing was sent, and every route to the same host would fail too. */
const unreachable = verdict('NETWORK', {
  fallback: false,
  writeOutcome: 'not_applied',
  sharedFate: 'host',
})
const broken = verdict('NETWORK')
/** Another program may trust other certificate authorities, or speak another version of TLS. */
const untrusted = verdict('NETWORK', { retryable: false, fallback: true })
const circling = verdict('NETWORK', { retryable: false, fallback: false })
const misfit = verdict('ADAPTER_UNSUPPORTED')
const validation = verdict('VALIDATION')
const notFound = verdict('NOT_FOUND')
const timeout = verdict('TIMEOUT')
const auth = verdict('AUTH', { fallback: true })
const exhausted = verdict('UNKNOWN', { retryable: true })
const locked = verdict('CONFLICT', { retryable: true })
const server = verdict('SERVER')
const unreadable = verdict('OUTPUT_INVALID')
const tooLarge = verdict('TOO_LARGE')
const unknown = verdict('UNKNOWN')

/** Exit codes by meaning. */
type Table = readonly (readonly [Verdict, string, RankName?])[]

const ANSIBLE: Table = [
  [unreachable, '4'],
  [validation, '5', 'general'],
  [unknown, '1 2 8 99 250', 'frame'],
]

/** The tables of programs that document their exit codes. A code that only says "failed" is a frame: words say more. */
const TABLES: Readonly<Record<string, Table>> = {
  // https://curl.se/docs/manpage.html#EXIT. 22 is any HTTP error, with --fail.
  curl: [
    [misfit, '1 2 4 23 26 48 53 54 66'],
    [validation, '3'],
    [unreachable, '5 6 7 97'],
    [broken, '16 18 52 55 56 92 95'],
    [timeout, '28'],
    [untrusted, '35 51 58 59 60 77 80 82 83 90 91 96 98'],
    [circling, '47'],
    [unreadable, '8 61'],
    [tooLarge, '63'],
    [auth, '67 94'],
    [notFound, '78'],
    [exhausted, '27'],
    [unknown, '22', 'frame'],
  ],
  // https://www.gnu.org/software/wget/manual/html_node/Exit-Status.html. 8 is any refusal of the server.
  wget: [
    [misfit, '2 3'],
    [untrusted, '5'],
    [auth, '6'],
    // 4 is any network failure, also after the request was sent.
    [broken, '4 7'],
    [unknown, '1 8', 'frame'],
  ],
  // https://download.samba.org/pub/rsync/rsync.1#EXIT_VALUES. 23 and 24: some files are done.
  rsync: [
    [misfit, '1 2 4 6 11'],
    [notFound, '3'],
    [broken, '5 10 12'],
    [exhausted, '22'],
    [timeout, '30 35'],
    [unknown, '13 14 20 21 23 24 25', 'frame'],
  ],
  // https://git-scm.com/docs/api-error-handling: die() exits with 128, usage() with 129, which no signal did.
  git: [
    [misfit, '129'],
    [unknown, '1 128', 'frame'],
  ],
  // https://man.openbsd.org/ssh#EXIT_STATUS: 255 is ssh's own, any other the remote command's.
  ssh: [[broken, '255', 'frame']],
  scp: [[broken, '255', 'frame']],
  sftp: [[broken, '255', 'frame']],
  // https://www.postgresql.org/docs/current/app-psql.html#APP-PSQL-EXIT-STATUS. 3 is any error in a script.
  psql: [
    // 2 is any connection that failed, also one that was refused for its password.
    [unreachable, '2', 'frame'],
    [unknown, '1 3', 'frame'],
  ],
  // https://www.postgresql.org/docs/current/app-pg-isready.html
  pg_isready: [
    [server, '1'],
    [unreachable, '2'],
    [validation, '3'],
  ],
  // https://www.sqlite.org/rescode.html: the shell exits with the result code of the statement.
  sqlite3: [
    [locked, '5 6'],
    [verdict('FORBIDDEN'), '3 23', 'general'],
    [exhausted, '7 10 13', 'general'],
    [misfit, '8 14 26', 'general'],
    [tooLarge, '18'],
    [verdict('CONFLICT'), '19'],
    [unknown, '1', 'frame'],
  ],
  // lib/ansible/executor/task_queue_manager.py and lib/ansible/cli/__init__.py of https://github.com/ansible/ansible
  ansible: ANSIBLE,
  'ansible-playbook': ANSIBLE,
  // https://www.gnu.org/software/coreutils/manual/html_node/timeout-invocation.html
  timeout: [
    [timeout, '124'],
    [misfit, '125'],
  ],
  // https://docs.docker.com/engine/containers/run/#exit-status
  docker: [[unknown, '1 125', 'frame']],
  podman: [[unknown, '1 125', 'frame']],
  // https://www.gnu.org/software/grep/manual/html_node/Exit-Status.html and diffutils: 2 is trouble.
  grep: [[misfit, '2', 'general']],
  diff: [[misfit, '2', 'general']],
  cmp: [[misfit, '2', 'general']],
  // https://jqlang.org/manual/#invoking-jq
  jq: [
    [misfit, '2 3'],
    [unreadable, '5', 'general'],
  ],
  // https://nodejs.org/api/process.html#exit-codes
  node: [
    [misfit, '9'],
    [unknown, '1', 'frame'],
  ],
  // https://www.gnu.org/software/make/manual/html_node/Running.html
  make: [[unknown, '2', 'frame']],
  // https://linux.die.net/man/8/ping
  ping: [
    [timeout, '1'],
    [unreachable, '2', 'general'],
  ],
  // https://www.freedesktop.org/software/systemd/man/latest/systemctl.html#Exit%20status
  systemctl: [[notFound, '4']],
}

/** Programs that exit with other codes than zero although nothing failed, by the words that ask for it. */
const ANSWERS: readonly (readonly [RegExp, readonly number[]])[] = [
  // No line matches; the files differ.
  [/^[efz]?grep\b|^rg\b|^(?:diff|cmp)\b/, [1]],
  [
    /^git (?:.* )?(?:grep\b|(?:diff|log)\b.* --(?:exit-code|quiet)\b|merge-base\b.* --is-ancestor\b)/,
    [1],
  ],
  [/^kubectl (?:.* )?diff\b/, [1]],
  // https://developer.hashicorp.com/terraform/cli/commands/plan#detailed-exitcode
  [/^(?:terraform|tofu) (?:.* )?(?:plan|apply)\b.* --?detailed-exitcode\b/, [2]],
  // https://github.com/databus23/helm-diff
  [/^helm (?:.* )?diff\b.* --detailed-exitcode\b/, [2]],
]

/** https://man.freebsd.org/cgi/man.cgi?query=sysexits; a program may mean something else by them, so words say more. */
const SYSEXITS: Table = [
  [misfit, '64 72 73 78', 'frame'],
  [validation, '65', 'frame'],
  [notFound, '66 67', 'frame'],
  [unreachable, '68', 'frame'],
  [server, '69 75', 'frame'],
  [unknown, '70 71 74', 'frame'],
  [broken, '76', 'frame'],
  [verdict('FORBIDDEN'), '77', 'frame'],
]

/** POSIX shells and timeout(1): https://www.gnu.org/software/bash/manual/html_node/Exit-Status.html */
const SHELLS: Table = [
  [timeout, '124'],
  [misfit, '126 127'],
]

/** Signals from a program's own fault; the same call would crash again. */
const CRASHES = ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGABRT', 'SIGTRAP', 'SIGSYS', 'SIGXFSZ']

/** The meaning of an exit code: by the program's own table, else by what shells mean by it. Null for a plain failure. */
export function meaningOfExit(tool: string, code: number): Meaning | null {
  const own = Object.hasOwn(TABLES, tool) ? TABLES[tool] : undefined
  return (
    lookUp(own ?? [], code) ??
    lookUp(SHELLS, code) ??
    ofSignal(code) ??
    lookUp(own ? [] : SYSEXITS, code)
  )
}

/** The verdict on a program that a signal ended. */
export function verdictOfSignal(signal: string): Verdict {
  return verdict('UNKNOWN', { retryable: !CRASHES.includes(signal) })
}

/**
 * The exit codes besides zero with which this command answers, such as grep's 1 for no match. Looks only at words and
 * names of options: the values of a caller stand behind `=` and `--`.
 */
export function answeringExitCodes(tool: string, args: readonly string[]): readonly number[] {
  const end = args.indexOf('--')
  const words = args.slice(0, end === -1 ? args.length : end).map(word => word.split('=', 1)[0])
  const command = [tool, ...words].join(' ').slice(0, MAX_COMMAND)
  return ANSWERS.find(([pattern]) => pattern.test(command))?.[1] ?? []
}

const MAX_COMMAND = 1000

/** A shell exits with 128 plus the number of the signal that ended the program. */
function ofSignal(code: number): Meaning | null {
  const signal = Object.entries(constants.signals).find(([, number]) => number + 128 === code)
  return signal ? { verdict: verdictOfSignal(signal[0]), rank: RANK.frame } : null
}

function lookUp(table: Table, code: number): Meaning | null {
  const row = table.find(([, codes]) => codes.split(' ').includes(String(code)))
  return row ? { verdict: row[0], rank: RANK[row[2] ?? 'specific'] } : null
}
