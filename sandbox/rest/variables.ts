import { isGiven } from '../given.ts'
import type { Variable } from '../store/variables.ts'
import { optionalText, requiredText } from './body.ts'
import { type Answer, noContent, ok, type RestCall, type RouteTable } from './call.ts'
import { notFound } from './errors.ts'
import { pagedIn } from './paging.ts'
import { keeperOf } from './secrets.ts'
import { requireActor } from './workflows.ts'

const place = '/repos/:owner/:repo/actions/variables'

export const variableRoutes: RouteTable = {
  [`GET ${place}`]: call =>
    pagedIn(call, 'variables', call.store.variables.of(keeperOf(call)), variableJson),
  [`GET ${place}/:name`]: call => ok(variableJson(variableOf(call))),
  [`POST ${place}`]: createVariable,
  [`PATCH ${place}/:name`]: updateVariable,
  [`DELETE ${place}/:name`]: deleteVariable,
}

function variableOf(call: RestCall): Variable {
  const variable = call.store.variables.find(keeperOf(call), call.params.name ?? '')
  if (!variable) throw notFound()
  return variable
}

function variableJson({ name, value, createdAt, updatedAt }: Variable) {
  return { name, value, created_at: createdAt, updated_at: updatedAt }
}

function createVariable(call: RestCall): Answer {
  const repository = keeperOf(call)
  requireActor(call, repository)
  const [name, value] = [requiredText(call.body, 'name'), requiredText(call.body, 'value')]
  call.store.variables.add(repository, name, value)
  return { status: 201, body: {} }
}

function updateVariable(call: RestCall): Answer {
  const [repository, variable] = [keeperOf(call), variableOf(call)]
  requireActor(call, repository)
  const [name, value] = [optionalText(call.body, 'name'), optionalText(call.body, 'value')]
  call.store.variables.update(repository, variable, {
    ...(isGiven(name) && { name }),
    ...(isGiven(value) && { value }),
  })
  return noContent()
}

function deleteVariable(call: RestCall): Answer {
  const [repository, variable] = [keeperOf(call), variableOf(call)]
  requireActor(call, repository)
  call.store.variables.delete(repository, variable)
  return noContent()
}
