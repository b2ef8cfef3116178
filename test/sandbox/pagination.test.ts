import { expect, test } from 'vitest'
import { HELLO, startSandbox } from './support.ts'

/** Follows `rel="next"` to the last page. */
async function pagesFrom(rest: Awaited<ReturnType<typeof startSandbox>>['rest'], start: string) {
  const pages: number[][] = []
  for (let next: string | undefined = start; next; ) {
    const { json, headers } = await rest('GET', next)
    pages.push(json.map(item => Number(item.number)))
    next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  }
  return pages
}

test('following Link returns every item once, and keeps the other parameters', async () => {
  const { rest } = await startSandbox()
  const pages = await pagesFrom(rest, `${HELLO}/issues?state=all&per_page=15`)
  expect(pages.map(page => page.length)).toEqual([15, 15, 10])
  expect(new Set(pages.flat()).size).toBe(40)
})

test("Link names the previous, next, first and last page, with the caller's host", async () => {
  const { rest, sandbox } = await startSandbox()
  const { headers } = await rest('GET', `${HELLO}/issues?state=all&per_page=15&page=2`)
  const at = (page: number) => `<${sandbox.url}${HELLO}/issues?state=all&per_page=15&page=${page}>`
  expect(headers.get('link')).toBe(
    [
      `${at(1)}; rel="prev"`,
      `${at(3)}; rel="next"`,
      `${at(3)}; rel="last"`,
      `${at(1)}; rel="first"`,
    ].join(', '),
  )
})

test('a page has 30 items by default and at most 100, and no Link if it is the only one', async () => {
  const { rest, sandbox } = await startSandbox()
  const repository = sandbox.store.repositories.find('octocat', 'spoon-knife')
  const author = sandbox.store.accounts.findUser('octocat')
  if (!repository || !author) throw new Error('the seed has changed')
  for (let count = 1; count < 230; count += 1) {
    sandbox.store.issues.add(repository, { title: `Extra ${count}`, author })
  }
  const path = '/repos/octocat/spoon-knife/issues'
  expect((await rest('GET', path)).json).toHaveLength(30)
  expect((await rest('GET', `${path}?per_page=500`)).json).toHaveLength(100)
  expect((await pagesFrom(rest, `${path}?per_page=100`)).map(page => page.length)).toEqual([
    100, 100, 30,
  ])
  expect((await rest('GET', `${HELLO}/labels`)).headers.has('link')).toBe(false)
})

const PAGE = `query($first: Int, $after: String, $last: Int, $before: String) {
  repository(owner: "octo-org", name: "hello-world") {
    issues(first: $first, after: $after, last: $last, before: $before,
           orderBy: { field: CREATED_AT, direction: DESC }) {
      totalCount
      nodes { number }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
}`

test('GraphQL cursors page forward and back', async () => {
  const { graphql } = await startSandbox()
  const page = async (variables: Record<string, unknown>) =>
    (await graphql(PAGE, variables)).json.data?.repository?.issues

  const seen: unknown[] = []
  let after: unknown = null
  let last = await page({ first: 12 })
  for (;;) {
    seen.push(...(last?.nodes?.map(node => node.number) ?? []))
    if (!last?.pageInfo?.hasNextPage) break
    after = last.pageInfo.endCursor
    last = await page({ first: 12, after })
  }
  expect(seen).toHaveLength(30)
  expect(new Set(seen).size).toBe(30)

  const back = await page({ last: 12, before: last?.pageInfo?.startCursor })
  expect(back?.nodes?.map(node => node.number)).toEqual(seen.slice(12, 24))
  expect(back?.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true })
})

test('an issue opened between two pages does not shift GraphQL pages', async () => {
  const { graphql, rest } = await startSandbox()
  const first = await graphql(PAGE, { first: 3 })
  const after = first.json.data?.repository?.issues?.pageInfo?.endCursor
  await rest('POST', `${HELLO}/issues`, { title: 'In between' })
  const second = await graphql(PAGE, { first: 1, after })
  expect(second.json.data?.repository?.issues?.nodes).toEqual([{ number: 35 }])
})
