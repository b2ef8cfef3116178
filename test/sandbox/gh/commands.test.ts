import { describe, expect, test } from 'vitest'
import { gh as program } from '../../support/parts.ts'
import { startGh } from '../gh.ts'
import { collectCommands, runCommand } from './collect.ts'
import { titleOf } from './command.ts'

const topics = await collectCommands()

describe.skipIf(!program.available).each([...topics])('the real gh: %s', (_topic, commands) => {
  test.concurrent.each(commands.map(command => [titleOf(command), command] as const))(
    'gh %s',
    async (_title, command) => {
      await using gh = await startGh()
      const { code, stdout, stderr } = await runCommand(gh, command)
      const { prints = '', json, leaves, code: expected = 0 } = command
      expect(`${stdout}${stderr}`).toContain(prints)
      expect({ code, stderr: code === expected ? '' : stderr }).toEqual({
        code: expected,
        stderr: '',
      })
      if (json !== undefined) expect(JSON.parse(stdout)).toEqual(json)
      if (leaves) expect({ seen: leaves[0](gh.sandbox.store) }).toMatchObject({ seen: leaves[1] })
    },
  )
})
