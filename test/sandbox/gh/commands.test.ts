import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { gh as program } from '../../support/parts.ts'
import { collectCommands } from './collect.ts'
import { titleOf } from './command.ts'
import { Places } from './places.ts'
import { isAtLeast } from './version.ts'

const topics = await collectCommands()
const places = new Places()
afterAll(() => places[Symbol.asyncDispose]())

describe.skipIf(!program.available).each([...topics])('the real gh: %s', (_topic, commands) => {
  test.concurrent.for(commands.map(command => [titleOf(command), command] as const))(
    'gh %s',
    ([, command], { skip }) => {
      skip(!isAtLeast(command.since), `needs gh ${command.since}`)
      return places.run(command, ({ code, stdout, stderr, store, folder }) => {
        const { prints = '', json, makes = {}, leaves, code: ends = 0 } = command
        expect(`${stdout}${stderr}`).toContain(prints)
        // A wrong exit code shows the error output.
        const failure = [ends].flat().includes(code) ? '' : `${code}: ${stderr}`
        expect(failure).toBe('')
        if (json !== undefined) expect(JSON.parse(stdout)).toEqual(json)
        for (const [name, content] of Object.entries(makes)) {
          expect(readFileSync(join(folder, name), 'utf8')).toBe(content)
        }
        if (leaves) expect({ seen: leaves[0](store) }).toMatchObject({ seen: leaves[1] })
      })
    },
  )
})
