import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SeenAnswer } from '../../sandbox/index.ts'
import type { OpenApi } from '../../src/tools/contract/openapi.ts'
import { readPublishedApi } from '../../src/tools/contract/published.ts'
import { collectCommands } from '../sandbox/gh/collect.ts'
import { titleOf } from '../sandbox/gh/command.ts'
import { Places } from '../sandbox/gh/places.ts'
import { isAtLeast } from '../sandbox/gh/version.ts'
import { gh as program } from '../support/parts.ts'
import { answerFaults } from './answers.ts'

/** An endpoint that gh uses and GitHub does not describe. */
const UNDESCRIBED = /^POST \/gists\/[0-9a-f]+ \(answered 200\) is no endpoint/

const topics = await collectCommands()

let openApi: OpenApi
const seen: SeenAnswer[] = []
const places = new Places({ onAnswer: answer => seen.push(answer) })
beforeAll(() => {
  openApi = readPublishedApi(line => process.stdout.write(`${line}\n`))
})
afterAll(() => places[Symbol.asyncDispose]())

/** Every endpoint that the real gh requests exists on GitHub, and the sandbox answers as described. */
describe.skipIf(!program.available).each([...topics])('the real gh: %s', (_topic, commands) => {
  test.for(commands.map(command => [titleOf(command), command] as const))(
    'gh %s',
    async ([, command], { skip }) => {
      skip(!isAtLeast(command.since), `needs gh ${command.since}`)
      seen.length = 0
      await places.run(command, () => {})
      const faults = seen.flatMap(answer => answerFaults(openApi, answer))
      expect(faults.filter(fault => !UNDESCRIBED.test(fault))).toEqual([])
    },
  )
})
