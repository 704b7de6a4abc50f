package org.metasched.trust;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;

/**
 * One rule of a policy.
 *
 * @param name name of the rule in decisions
 * @param isAllowing whether it allows or denies
 * @param roles roles of which the subject must have one
 * @param operations ids of operations, or beginnings of ids that end in {@code *}
 * @param condition ClassAd expression over {@code Subject}, {@code Object} and {@code Operation}; names are compared with {@code =?=},
 *     since {@code ==} ignores case
 */
public record AccessRule(
        String name, boolean isAllowing, Set<Role> roles, List<String> operations, Optional<String> condition) {

    public AccessRule {
        roles = Set.copyOf(roles);
        operations = List.copyOf(operations);
    }

    /** A rule whose condition is parsed and whose operations are checked. */
    static final class Compiled {
        private final AccessRule rule;
        private final Optional<Expr> condition;
        private final boolean needsObject;

        /** @throws IllegalArgumentException when the condition is no expression, or no operation has such an id */
        Compiled(AccessRule rule) {
            this.rule = rule;
            for (String id : rule.operations) {
                if (Operation.all().stream().noneMatch(o -> covers(id, o.id()))) {
                    throw new IllegalArgumentException(
                            "The rule (" + rule.name + ") names an operation (" + id + ") that does not exist.");
                }
            }
            try {
                condition = rule.condition.isEmpty() ? Optional.empty() : Optional.of(Expr.parse(rule.condition.get()));
            } catch (ClassAdSyntaxException e) {
                throw new IllegalArgumentException(
                        "The condition of rule (" + rule.name + ") is no ClassAd expression: " + e.getMessage(), e);
            }
            needsObject = condition.isPresent()
                    && condition.get().names().stream().anyMatch(n -> n.equalsIgnoreCase("Object"));
        }

        String name() {
            return rule.name;
        }

        boolean isAllowing() {
            return rule.isAllowing;
        }

        boolean isAbout(Set<Role> roles, String operation) {
            return roles.stream().anyMatch(rule.roles::contains)
                    && rule.operations.stream().anyMatch(id -> covers(id, operation));
        }

        /** Whether the id of an operation, or its beginning with {@code *}, stands for an operation. */
        private static boolean covers(String id, String operation) {
            return id.endsWith("*") ? operation.startsWith(id.substring(0, id.length() - 1)) : operation.equals(id);
        }

        /**
         * Whether the rule applies. Fails closed: a rule that allows applies if its condition is true, a rule that denies unless it is
         * false.
         *
         * @param beforeLookUp whether the object is not looked up yet: a condition about it is then taken as met for a rule that allows, and as
         *     not met for one that denies
         */
        boolean holds(ClassAd context, boolean beforeLookUp) {
            if (beforeLookUp && needsObject) {
                return rule.isAllowing;
            }
            return condition.isEmpty() || isMet(condition.get().evaluate(Scope.of(context)));
        }

        private boolean isMet(Value value) {
            return rule.isAllowing ? value.satisfies() : !(value instanceof Value.Bool bool && !bool.value());
        }
    }
}
