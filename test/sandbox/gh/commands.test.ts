import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { gh as program } from '../../support/parts.ts'
import { collectCommands } from './collect.ts'
import { titleOf } from './command.ts'
import { Places } from './places.ts'

const topics = await collectCommands()
const places = new Places()
afterAll(() => places[Symbol.asyncDispose]())

describe.skipIf(!program.available).each([...topics])('the real gh: %s', (_topic, commands) => {
  test.concurrent.each(commands.map(command => [titleOf(command), command] as const))(
    'gh %s',
    (_title, command) =>
      places.run(command, ({ code, stdout, stderr, store, folder }) => {
        const { prints = '', json, makes = {}, leaves, code: ends = 0 } = command
        expect(`${stdout}${stderr}`).toContain(prints)
        expect([ends].flat(), stderr).toContain(code)
        if (json !== undefined) expect(JSON.parse(stdout)).toEqual(json)
        for (const [name, content] of Object.entries(makes)) {
          expect(readFileSync(join(folder, name), 'utf8')).toBe(content)
        }
        if (leaves) expect({ seen: leaves[0](store) }).toMatchObject({ seen: leaves[1] })
      }),
  )
})
