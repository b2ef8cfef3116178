import { verdict } from '../../failures/verdict.ts'
import type { Phrases } from './phrases.ts'

/** The program or this machine failed before it called a service. */
export const LOCAL: Phrases = [
  // The tool does not know the command. Another version or another route may.
  [
    [
      'unknown (?:shorthand )?(?:flag|option|command|subcommand|argument|JSON field)s?',
      'unrecogni[sz]ed (?:arguments?|options?|commands?|flags?|subcommands?)',
      'no such (?:option|command|subcommand|flag)',
      'invalid choice',
      'flag provided but not defined',
      'illegal option',
      "(?:is not|isn't) an? (?:[\\w-]+ )?(?:command|subcommand)",
      'misspelled or not recogni[sz]ed',
      "doesn't exist on type",
      'cannot query field',
    ],
    verdict('ADAPTER_UNSUPPORTED'),
  ],
  // The tool needs something that this machine does not have.
  [
    [
      'not a git repository',
      'no git remotes',
      'none of the git remotes',
      '(?:determine|detect) (?:the )?(?:base|current) repo(?:sitory)?',
      'executable file not found',
      'command not found',
      'unable to find git executable',
      'error while loading shared libraries',
      'cannot execute',
      'exec format error',
      'symbol lookup error',
      'not found \\(required by',
      'read-only file system',
      'docker daemon socket',
      '(?<!connect: )no such file or directory',
      '(?:open|mkdir|stat|exec|chdir|rename|unlink) \\S+: \\w[\\w ]*',
      '\\[Errno \\d+\\]',
      'EACCES|EROFS|ENOENT',
    ],
    verdict('ADAPTER_UNSUPPORTED'),
  ],
  // This machine is out of a resource, but only for a while.
  [
    [
      'too many open files',
      'cannot allocate memory',
      'out of memory',
      'no space left on device',
      'disk quota exceeded',
      'fork/exec .{0,200}resource temporarily unavailable',
    ],
    verdict('UNKNOWN', { retryable: true }),
  ],
  // The command does not accept the values.
  [
    [
      'required flag',
      'flags? needs an argument',
      'expected (?:one|at least one|\\d+) argument',
      '(?:accepts|requires) (?:exactly |at (?:most|least) |between )?\\d+ (?:and \\d+ )?arg',
      'arguments? (?:is |are )?required',
      'missing (?:required )?(?:argument|option|parameter|flag)s?',
      'must (?:provide|specify|supply|be one of)',
      'not running interactively',
      'invalid (?:argument|value|issue format|limit|date|format|type|header|path|boolean|integer)',
      'expected the "…" format',
      'specify only one of',
      "(?:cannot|can not|can't) (?:use|specify|be used) .{0,200}(?:together|both|with(?:out)?)",
      'mutually exclusive',
      'too many arguments',
      'parsing "…": invalid syntax',
      "can't be blank",
      'unable to parse',
      'parse error',
    ],
    verdict('VALIDATION'),
  ],
]
