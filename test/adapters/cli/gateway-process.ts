/** Stands for the gateway: runs the program named by its argument, and says when it runs. */
import { tmpdir } from 'node:os'
import { createHelperRunner } from '../../../adapters/cli/spawn-client.ts'

const [command = '', mark = ''] = process.argv.slice(2)
createHelperRunner().run(
  {
    command,
    args: [],
    env: { PATH: process.env.PATH ?? '', MARK: mark },
    cwd: tmpdir(),
    stdin: null,
    maxOutputBytes: 1000,
    graceMs: 100,
  },
  new AbortController().signal,
)
