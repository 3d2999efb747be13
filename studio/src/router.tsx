// Every address of the Studio. Filters are part of it, so that any view can be shared.

import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { Home } from "./pages/Home";
import { SkillsPage } from "./pages/skills/SkillsPage";
import { Shell } from "./shell/Shell";

/** The search part of an address, as plain texts. */
export type Query = Record<string, string | undefined>;

const texts = (search: Record<string, unknown>): Query =>
  Object.fromEntries(
    Object.entries(search).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  );

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => (
    <div className="page">
      <h1>There is no such page</h1>
      <p>
        <Link to="/">To the first page</Link>
      </p>
    </div>
  ),
});

const home = createRoute({ getParentRoute: () => root, path: "/", validateSearch: texts, component: Home });

const skills = createRoute({
  getParentRoute: () => root,
  path: "/agents/$agentId/skills",
  validateSearch: texts,
  component: SkillsPage,
});

const skill = createRoute({
  getParentRoute: () => root,
  path: "/agents/$agentId/skills/$name",
  validateSearch: texts,
  component: lazyRouteComponent(() => import("./pages/skill/SkillPage"), "SkillPage"),
});

const agentSettings = createRoute({
  getParentRoute: () => root,
  path: "/agents/$agentId/settings",
  validateSearch: texts,
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: "/", search: { ...search, settingsAgentId: params.agentId }, replace: true });
  },
});

const agents = createRoute({
  getParentRoute: () => root,
  path: "/agents",
  beforeLoad: () => {
    throw redirect({ to: "/", replace: true });
  },
});

const setup = createRoute({
  getParentRoute: () => root,
  path: "/setup",
  validateSearch: texts,
  component: lazyRouteComponent(() => import("./pages/setup/SetupPage"), "SetupPage"),
});

const playground = createRoute({
  getParentRoute: () => root,
  path: "/agents/$agentId/playground",
  validateSearch: texts,
  component: lazyRouteComponent(() => import("./pages/playground/PlaygroundPage"), "PlaygroundPage"),
});

const sessions = createRoute({
  getParentRoute: () => root,
  path: "/agents/$agentId/sessions",
  validateSearch: texts,
  component: lazyRouteComponent(() => import("./pages/sessions/SessionsPage"), "SessionsPage"),
});

const session = createRoute({
  getParentRoute: () => root,
  path: "/agents/$agentId/sessions/$session",
  validateSearch: texts,
  component: lazyRouteComponent(() => import("./pages/sessions/SessionPage"), "SessionPage"),
});

const registry = createRoute({
  getParentRoute: () => root,
  path: "/registry",
  validateSearch: texts,
  component: lazyRouteComponent(() => import("./pages/registry/RegistryPage"), "RegistryPage"),
});

const cortex = createRoute({
  getParentRoute: () => root,
  path: "/cortex",
  validateSearch: texts,
  component: lazyRouteComponent(() => import("./pages/cortex/CortexPage"), "CortexPage"),
});

const forge = createRoute({
  getParentRoute: () => root,
  path: "/forge",
  validateSearch: texts,
  component: lazyRouteComponent(() => import("./pages/forge/ForgePage"), "ForgePage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    skills,
    skill,
    agentSettings,
    agents,
    setup,
    playground,
    sessions,
    session,
    registry,
    cortex,
    forge,
  ]),
  defaultPreload: "intent",
  scrollRestoration: true,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const texts = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
    const query = new URLSearchParams(texts.map(([key, value]) => [key, String(value)])).toString();
    return query ? `?${query}` : "";
  },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
