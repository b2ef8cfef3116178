/** The exit codes with which programs refuse their arguments. */
interface UsageExit {
  readonly codes: readonly number[]
  /** Whether the program uses these codes for other failures too. */
  readonly shared?: true
}

const COBRA: UsageExit = { codes: [1], shared: true }

/**
 * Programs that parse all their arguments before they send anything, and how they exit when they refuse them.
 * Sources: the manual page or the exit code table of each; cobra prints "Usage:" and exits with 1.
 */
const PARSES_FIRST: Readonly<Record<string, UsageExit>> = {
  ...Object.fromEntries(
    'gh glab kubectl oc helm docker podman doctl flyctl hcloud stripe argocd k9s'
      .split(' ')
      .map(tool => [tool, COBRA] as const),
  ),
  aws: { codes: [2, 252] },
  az: { codes: [2] },
  gcloud: { codes: [2] },
  curl: { codes: [2] },
  wget: { codes: [2] },
  git: { codes: [129] },
  rsync: { codes: [1] },
  ssh: { codes: [255], shared: true },
  psql: { codes: [1], shared: true },
  'ansible-playbook': { codes: [2], shared: true },
  terraform: { codes: [1], shared: true },
}

const UNKNOWN_ARGUMENT =
  /^(?:\S{1,100}: ){0,5}(?:unknown|unrecogni[sz]ed|invalid|illegal|ambiguous) (?:shorthand )?(?:flags?|options?|arguments?|subcommand|command)\b|^\S{1,100}: option \S{1,200} is unknown/im

/**
 * Whether a program refused its arguments, so that it sent nothing. Two facts must agree: its exit code for
 * that, and the usage text that it prints with it.
 */
export function isUsageRefusal(tool: string, exitCode: number | null, stderr: string): boolean {
  const exit = Object.hasOwn(PARSES_FIRST, tool) ? PARSES_FIRST[tool] : undefined
  if (!exit || exitCode === null || !exit.codes.includes(exitCode)) return false
  return showsUsage(tool, stderr) || (!exit.shared && UNKNOWN_ARGUMENT.test(stderr))
}

/** `Usage: gh issue create [flags]`, or a hint to the help text: `See 'kubectl get --help' for usage.` */
function showsUsage(tool: string, stderr: string): boolean {
  const text = stderr.toLowerCase()
  return (
    [...text.matchAll(/^\s{0,8}usage:\s{1,20}(?:\S{0,200}\/)?([\w-]{1,40})/gm)].some(
      ([, name]) => name === tool,
    ) ||
    [...text.matchAll(/['"`]([\w-]{1,40})(?: [\w-]{1,40}){0,5} (?:--|-)?help\b/g)].some(
      ([, name]) => name === tool,
    )
  )
}
