export { default as Planner } from './planner';
export { fareOf, type Fare } from './fares';
export { Board } from './board';
