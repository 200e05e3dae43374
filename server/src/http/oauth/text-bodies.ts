/** Bodies as texts of whatever type: each endpoint reads them itself, and says in its own words what is wrong with one. */
import type { FastifyInstance } from 'fastify';
import { type BodyBudget, readBodiesWithin } from '../../web/request-bodies.ts';

/** @param mostBytes a longer body is refused with 413 */
export const takeTexts = (scope: FastifyInstance, budget: BodyBudget, mostBytes: number): void =>
  readBodiesWithin(scope, { budget, mostBytes, contentType: '*', as: 'text' });
