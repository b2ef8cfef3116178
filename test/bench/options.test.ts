import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

function run(script: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`bench/${script}`, ...args], {
    encoding: 'utf8',
    timeout: 20_000,
  })
  return { status, stdout, lines: stderr.split('\n').filter(line => line !== '') }
}

/** Without those that other benches use, and those that take any words. */
const OTHERS = ['guard.ts', 'peers.ts', 'cost.ts', 'vocabulary.ts']
const BENCHES = readdirSync('bench').filter(name => name.endsWith('.ts') && !OTHERS.includes(name))

test.each(BENCHES)(
  'bench/%s lists its options, and refuses others in two lines',
  script => {
    expect(run(script, '--help')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/--help +show this text/),
      lines: [],
    })
    const { status, stdout, lines } = run(script, '--bogus')
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(lines).toEqual([
      "Unknown option '--bogus'",
      expect.stringMatching(/--help lists the options/),
    ])
  },
  60_000,
)

test.each([
  ['proxy.ts', ['--rounds', 'x'], '--rounds must be a number of at least 1, not "x"'],
  ['proxy.ts', ['--update'], '--update belongs to --guard'],
  ['proxy.ts', ['--peers', '--guard'], /run one of them/],
  ['proxy.ts', ['--against', '/nowhere'], '--against /nowhere has no src/signalbox.ts'],
  ['start.ts', ['--against', '/nowhere'], '--against /nowhere has no src/signalbox.ts'],
  ['start.ts', ['--rounds', 'x'], '--rounds must be a number of at least 1, not "x"'],
  ['figures.ts', ['--only', 'list,lst'], '--only cannot be "lst": use rates, list, batch, cli'],
  ['journal.ts', ['--only', 'mysql'], '--only cannot be "mysql": use sqlite, postgres'],
  ['crowd.ts', ['--connections', '0'], '--connections must be a number of at least 1, not "0"'],
  ['soak.ts', ['--minutes', ''], '--minutes must be a number of at least 1, not ""'],
  ['scale.ts', ['card'], /^the word cannot be "card": use cards, journal,/],
])(
  'bench/%s %j says what is wrong',
  (script, args, message) => {
    const { status, lines } = run(script, ...args)
    expect(status).toBe(2)
    expect(lines[0]).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  },
  60_000,
)
