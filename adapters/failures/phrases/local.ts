import { verdict } from '../verdict.ts'
import type { PhraseGroup } from './phrase.ts'

const PART =
  '(?:(?:content[- ]type|media type|user[- ]agent|api[- ]version|[\\w-]{1,40}-version|accept|client version)\\b|(?:http|request) header|headers?\\b)'
const WRONG =
  '(?:required|missing|not (?:found|supported|acceptable|valid|defined)|invalid|unsupported|unknown|bad|too old|should be|must (?:be|accept)|expecting|failed|specify|provide)'

/** The program or this machine failed before it called a service. */
export const LOCAL: readonly PhraseGroup[] = [
  {
    // The program does not know the command. Another version or another route may.
    source: 'cobra and pflag (Go), argparse and click (Python), getopt (C), clap (Rust)',
    rank: 'exact',
    verdict: verdict('ADAPTER_UNSUPPORTED'),
    phrases: [
      '(?:unknown|unrecogni[sz]ed|unexpected|illegal) (?:shorthand )?(?:flags?|options?|(?:sub)?commands?|arguments?|JSON field)',
      'no such (?:option|(?:sub)?command|flag)',
      'invalid choice',
      'flag provided but not defined',
      "(?:is not|isn't) an? (?:[\\w-]+ )?(?:sub)?command",
      'misspelled or not recogni[sz]ed',
    ],
  },
  {
    // The card's document or the API's version does not fit this server.
    source: 'graphql-js and its ports, graphql-ruby, Apollo; deprecation notices',
    rank: 'exact',
    verdict: verdict('ADAPTER_UNSUPPORTED'),
    phrases: [
      'cannot query field',
      "doesn't exist on type",
      '^unknown (?:argument|type|directive|fragment|field)',
      'PersistedQueryNot(?:Found|Supported)',
      '(?:is|are|has been|is being) (?:deprecated|sunset|retired|no longer supported)',
    ],
  },
  {
    // A refusal of a header, media type or version: the gateway adds those, not the caller.
    source: 'APIs with a version header, CSRF checks, Docker Engine, Notion, Anthropic, Dropbox',
    rank: 'specific',
    verdict: verdict('ADAPTER_UNSUPPORTED'),
    phrases: [`${PART}.{0,80}\\b${WRONG}`, `${WRONG}\\b.{0,40}(?<![\\w-])${PART}`],
  },
  {
    // Before it calls, the program looks in a working copy for the thing to call about, or opens its socket.
    source: 'git, gh, glab, docker',
    rank: 'exact',
    verdict: verdict('ADAPTER_UNSUPPORTED'),
    phrases: [
      '\\bno\\b.{1,60}\\bin (?:this|the current) directory|(?:current|this) directory or any (?:of (?:its|the) )?parent|from the correct directory|or any parent directory',
      'not a git repository|n(?:o|one of the) git remotes',
      '(?:determine|detect) (?:the )?(?:base|current) repo(?:sitory)?',
      'docker daemon socket',
    ],
  },
  {
    // The program needs something that this machine does not have. Another route does not need it.
    source: 'ld.so, libc, shells, git, docker, runtimes',
    rank: 'exact',
    // It may have failed after its request as well as before.
    verdict: verdict('ADAPTER_UNSUPPORTED', { writeOutcome: 'unknown' }),
    phrases: [
      '(?:executable file|command|git executable|module|interpreter) not found|unable to find git executable',
      'error while loading shared libraries|symbol lookup error|not found \\(required by',
      'cannot (?:execute|find module|open shared object)|exec format error|bad (?:cpu type|interpreter)',
      'read-only file ?system',
      'in @INC|find or load main class|tell me who you are',
      '(?<!connect: )no such file or directory',
      '(?:open|mkdir|stat|exec|chdir|rename|unlink) \\S+: \\w[\\w ]*',
      'no (?:tty|terminal)|not a (?:tty|terminal)|inappropriate ioctl',
    ],
  },
  {
    source: 'libc, Go',
    rank: 'exact',
    // This machine is out of a resource, but only for a while.
    verdict: verdict('UNKNOWN', { retryable: true }),
    phrases: [
      'too many open files',
      'cannot allocate memory|out of memory',
      'no space left on device|disk quota exceeded',
      'fork/exec .{0,200}resource temporarily unavailable',
    ],
  },
  {
    // The command does not accept the values.
    source: 'cobra, argparse, click, gh, terraform',
    rank: 'specific',
    verdict: verdict('VALIDATION'),
    phrases: [
      'required flag|flags? needs an argument',
      'expected (?:one|at least one|\\d+) argument|too many arguments',
      '(?:accepts|requires) (?:exactly |at (?:most|least) |between )?\\d+ (?:and \\d+ )?arg\\w*',
      'arguments? (?:is |are )?required|missing (?:required )?(?:argument|option|parameter|flag|script)s?|no rule to make',
      'must (?:provide|specify|supply|be one of)',
      'not running interactively',
      'specify only one of|mutually exclusive',
      "(?:cannot|can not|can't) (?:use|specify|be used) .{0,200}(?:together|both|with(?:out)?)",
      'expected the "…" format|parsing "…": invalid syntax',
      "can't be blank",
      'unable to parse|parse error',
    ],
  },
  {
    source: 'graphql-js and its ports',
    rank: 'exact',
    // The card's document is wrong; another route may do without it.
    verdict: verdict('VALIDATION', { fallback: true }),
    phrases: [
      '^(?:syntax|parse) error|^expected .{0,200} to be|is missing required arguments',
      '(?:complexity|depth|cost|nodes?)\\b.{0,200}\\bexceed\\w*|exceed\\w*\\b.{0,200}\\b(?:complexity|depth|maximum (?:cost|limit of))',
      '^query (?:is )?too (?:complex|deep|large)',
    ],
  },
  {
    source: 'graphql-js and its ports: a value for a variable is invalid',
    rank: 'exact',
    verdict: verdict('VALIDATION'),
    phrases: ['^variable "?\\$?'],
  },
]
