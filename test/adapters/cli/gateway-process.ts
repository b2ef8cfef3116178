/** Acts as a gateway that can be killed: runs the program in its first argument. */
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
