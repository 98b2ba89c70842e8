//! Conditions: from the parser's expressions to a tree of comparisons. What is not listed here is refused.

use sqlparser::ast::{BinaryOperator, Expr, Spanned as _, UnaryOperator};
use sqlparser::tokenizer::Location;

use crate::column::{Catalog, ColumnId, ListId, ValueType};
use crate::filter::{Condition, Filter, Target, Test};
use crate::literal::{self, End, Placed, Reading};
use crate::names::Named;
use crate::refusal::Fault;
use crate::side::Side;

/// What a WHERE says, before conditions on one element are brought together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Tree {
    And(Vec<Self>),
    Or(Vec<Self>),
    Not(Box<Self>),
    /// On an element of a list, by a path with the list's name; of [`Filter::Test`]s on columns of that list.
    On(ListId, Filter),
    /// On the record, or on an element that is its own.
    Whole(Filter),
}

/// Reads expressions of one query.
pub(crate) struct Reader<'a> {
    pub(crate) catalog: &'static Catalog,
    pub(crate) prefixes: &'a [String],
    pub(crate) readings: Vec<Reading>,
}

impl Reader<'_> {
    /// The tree of an expression. As deep as the expression is nested; chains of AND and OR are walked in a loop.
    pub(crate) fn tree(&mut self, expr: &Expr) -> Result<Tree, Fault> {
        match expr {
            Expr::BinaryOp {
                op: op @ (BinaryOperator::And | BinaryOperator::Or),
                ..
            } => {
                let mut parts = Vec::new();
                for operand in chain(expr, op) {
                    parts.push(self.tree(operand)?);
                }
                Ok(if *op == BinaryOperator::And {
                    Tree::And(parts)
                } else {
                    Tree::Or(parts)
                })
            }
            Expr::Nested(inner) => self.tree(inner),
            Expr::UnaryOp {
                op: UnaryOperator::Not,
                expr,
            } => Ok(Tree::Not(Box::new(self.tree(expr)?))),
            Expr::BinaryOp { left, op, right } => self.comparison(left, op, right),
            Expr::InList {
                expr,
                list,
                negated,
            } => self.in_list(expr, list, *negated),
            Expr::Between {
                expr,
                negated,
                low,
                high,
            } => self.between(expr, *negated, low, high),
            Expr::Like {
                negated,
                any: false,
                expr,
                pattern,
                escape_char: None,
            }
            | Expr::ILike {
                negated,
                any: false,
                expr,
                pattern,
                escape_char: None,
            } => self.like(expr, pattern, *negated),
            Expr::IsNull(expr) => self.null(expr, false),
            Expr::IsNotNull(expr) => self.null(expr, true),
            other => Err(self.no_condition(other)),
        }
    }

    /// The column that an `ORDER BY` names.
    pub(crate) fn named(&self, expr: &Expr) -> Result<(Named, Location), Fault> {
        match self.side(expr)? {
            Side::Column(named, at) => Ok((named, at)),
            Side::Literal(placed) => Err(Fault::forbidden(
                placed.at,
                "A column is expected here, not a value.",
            )),
        }
    }

    fn comparison(
        &mut self,
        left: &Expr,
        op: &BinaryOperator,
        right: &Expr,
    ) -> Result<Tree, Fault> {
        use BinaryOperator as B;
        if !matches!(op, B::Eq | B::NotEq | B::Lt | B::LtEq | B::Gt | B::GtEq) {
            let message = format!("The operator {op} is not allowed.");
            return Err(Fault::forbidden(left.span().start, message));
        }
        let (named, at, literal, op) = match (self.side(left)?, self.right(right)?) {
            (Side::Column(named, at), Side::Literal(literal)) => (named, at, literal, op.clone()),
            (Side::Literal(literal), Side::Column(named, at)) => (named, at, literal, flipped(op)),
            (Side::Column(..), Side::Column(_, at)) => {
                let message = "A column is compared with a value, not with another column.";
                return Err(Fault::forbidden(at, message));
            }
            (Side::Literal(literal), Side::Literal(_)) => {
                let message = "A comparison without a column says nothing about a record.";
                return Err(Fault::forbidden(literal.at, message));
            }
        };
        let target = self.value(&named, at)?;
        let column = target.column;
        let bound = |end, inclusive| {
            let bound = literal::bound(self.catalog, column, &literal, end, inclusive)?;
            Ok(match end {
                End::Low => Test::Range {
                    low: Some(bound),
                    high: None,
                },
                End::High => Test::Range {
                    low: None,
                    high: Some(bound),
                },
            })
        };
        let test = match op {
            B::Lt => bound(End::High, false)?,
            B::LtEq => bound(End::High, true)?,
            B::Gt => bound(End::Low, false)?,
            B::GtEq => bound(End::Low, true)?,
            op => self.one_of(column, [literal], op == B::NotEq)?,
        };
        Ok(place(&named, vec![test]))
    }

    fn in_list(&mut self, expr: &Expr, list: &[Expr], negated: bool) -> Result<Tree, Fault> {
        let (named, at) = self.column(expr)?;
        let target = self.value(&named, at)?;
        let mut items = Vec::with_capacity(list.len());
        for item in list {
            items.push(self.literal(item)?);
        }
        let test = self.one_of(target.column, items, negated)?;
        Ok(place(&named, vec![test]))
    }

    fn one_of(
        &mut self,
        column: ColumnId,
        items: impl IntoIterator<Item = Placed>,
        negated: bool,
    ) -> Result<Test, Fault> {
        let mut values = Vec::new();
        for item in items {
            values.extend(literal::equal(
                self.catalog,
                column,
                &item,
                &mut self.readings,
            )?);
        }
        values.sort_unstable();
        values.dedup();
        Ok(Test::In {
            values: values.into(),
            negated,
        })
    }

    fn between(
        &mut self,
        expr: &Expr,
        negated: bool,
        low: &Expr,
        high: &Expr,
    ) -> Result<Tree, Fault> {
        let (named, at) = self.column(expr)?;
        let column = self.value(&named, at)?.column;
        let (low, high) = (self.literal(low)?, self.literal(high)?);
        let range = Test::Range {
            low: Some(literal::bound(self.catalog, column, &low, End::Low, true)?),
            high: Some(literal::bound(
                self.catalog,
                column,
                &high,
                End::High,
                true,
            )?),
        };
        Ok(place(
            &named,
            if negated {
                range.negated()
            } else {
                vec![range]
            },
        ))
    }

    fn like(&mut self, expr: &Expr, pattern: &Expr, negated: bool) -> Result<Tree, Fault> {
        let (named, at) = self.column(expr)?;
        let column = self.value(&named, at)?.column;
        let given = self.literal(pattern)?;
        let pattern = literal::pattern(self.catalog, column, &given)?;
        Ok(place(&named, vec![Test::Like { pattern, negated }]))
    }

    fn null(&mut self, expr: &Expr, negated: bool) -> Result<Tree, Fault> {
        let (named, _) = self.column(expr)?;
        Ok(match named {
            Named::List(list)
            | Named::Shortcut {
                list,
                is_list: true,
                ..
            } => Tree::Whole(Filter::Empty { list, negated }),
            // No element has a value, or some element has one.
            Named::Shortcut { list, target, .. } => Tree::Whole(Filter::Element {
                list,
                filter: Box::new(Filter::Test(Condition {
                    target,
                    test: Test::Null { negated: true },
                })),
                negated: !negated,
            }),
            named => place(&named, vec![Test::Null { negated }]),
        })
    }

    /// What a value of a column looks like. None for a list as a whole, and for an id.
    fn example(&self, named: &Named, value: bool) -> Option<String> {
        let (Named::Record(target) | Named::Element(_, target) | Named::Shortcut { target, .. }) =
            named
        else {
            return None;
        };
        Some(match self.catalog.column(target.column).value {
            ValueType::Boolean => value.to_string(),
            ValueType::Integer | ValueType::Number => "1".to_owned(),
            ValueType::Date => "'2026-03-31'".to_owned(),
            ValueType::Text => "'…'".to_owned(),
            ValueType::Id => return None,
        })
    }

    /// Says why an expression is no condition.
    fn no_condition(&self, expr: &Expr) -> Fault {
        let at = expr.span().start;
        let column = match expr {
            Expr::IsTrue(inner) | Expr::IsNotFalse(inner) => Some((inner.as_ref(), true)),
            Expr::IsFalse(inner) | Expr::IsNotTrue(inner) => Some((inner.as_ref(), false)),
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => Some((expr, true)),
            _ => None,
        };
        if let Some((inner, value)) = column {
            return match self.side(inner) {
                Err(fault) => fault,
                Ok(Side::Column(named, _)) => {
                    let fault = Fault::forbidden(at, "A condition compares a column with a value.");
                    let path = inner.to_string().replace('"', "");
                    match self.example(&named, value) {
                        Some(value) => fault.suggest(format!("{path} = {value}")),
                        None => fault,
                    }
                    .suggest(format!("{path} IS NOT NULL"))
                }
                Ok(Side::Literal(_)) => {
                    Fault::forbidden(at, "A value alone says nothing about a record.")
                }
            };
        }
        match expr {
            Expr::Value(_) | Expr::UnaryOp { .. } => {
                Fault::forbidden(at, "A value alone says nothing about a record.")
            }
            Expr::Like { .. } | Expr::ILike { .. } => {
                Fault::forbidden(at, "LIKE takes one pattern, without ANY and ESCAPE.")
            }
            _ => Fault::forbidden(at, "A condition compares a column with a value."),
        }
    }
}

/// The operands of a chain of one operator, in their order.
fn chain<'e>(expr: &'e Expr, of: &BinaryOperator) -> Vec<&'e Expr> {
    let mut operands = Vec::new();
    let mut rest = expr;
    while let Expr::BinaryOp { left, op, right } = rest
        && op == of
    {
        operands.push(right.as_ref());
        rest = left;
    }
    operands.push(rest);
    operands.reverse();
    operands
}

const fn flipped(op: &BinaryOperator) -> BinaryOperator {
    match op {
        BinaryOperator::Lt => BinaryOperator::Gt,
        BinaryOperator::LtEq => BinaryOperator::GtEq,
        BinaryOperator::Gt => BinaryOperator::Lt,
        BinaryOperator::GtEq => BinaryOperator::LtEq,
        BinaryOperator::NotEq => BinaryOperator::NotEq,
        _ => BinaryOperator::Eq,
    }
}

/// Tests of one target, any of which may hold, where the target's path puts them.
fn place(named: &Named, tests: Vec<Test>) -> Tree {
    let any = |target: &Target| {
        let conditions = tests.iter().map(|test| {
            Filter::Test(Condition {
                target: target.clone(),
                test: test.clone(),
            })
        });
        Filter::any(conditions.collect())
    };
    match named {
        Named::Record(target) => Tree::Whole(any(target)),
        Named::Element(list, target) => Tree::On(*list, any(target)),
        Named::Shortcut { list, target, .. } => Tree::Whole(Filter::Element {
            list: *list,
            filter: Box::new(any(target)),
            negated: false,
        }),
        Named::List(list) => Tree::Whole(Filter::Empty {
            list: *list,
            negated: true,
        }),
    }
}
