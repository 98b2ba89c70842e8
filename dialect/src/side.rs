//! The sides of a comparison: a column, or a literal.

use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, Spanned as _,
    Value as Sql,
};
use sqlparser::tokenizer::Location;

use crate::column::{ListForm, ValueType};
use crate::condition::Reader;
use crate::filter::Target;
use crate::literal::{Literal, Placed, type_name};
use crate::names::{Named, resolve};
use crate::refusal::{Fault, Reason};

/// One side of a comparison.
pub(crate) enum Side {
    Column(Named, Location),
    Literal(Placed),
}

impl Reader<'_> {
    pub(crate) fn column(&self, expr: &Expr) -> Result<(Named, Location), Fault> {
        match self.side(expr)? {
            Side::Column(named, at) => Ok((named, at)),
            Side::Literal(literal) => {
                let message = "A column is expected before this, not a value.";
                Err(Fault::forbidden(literal.at, message))
            }
        }
    }

    pub(crate) fn literal(&self, expr: &Expr) -> Result<Placed, Fault> {
        match self.side(expr)? {
            Side::Literal(literal) => Ok(literal),
            Side::Column(_, at) => {
                let message = "A column is compared with a value, not with another column.";
                Err(Fault::forbidden(at, message))
            }
        }
    }

    /// The target of a comparison with a value: a list as a whole has none.
    pub(crate) fn value<'n>(&self, named: &'n Named, at: Location) -> Result<&'n Target, Fault> {
        match named {
            Named::Record(target) | Named::Element(_, target) | Named::Shortcut { target, .. } => {
                Ok(target)
            }
            Named::List(list) => {
                let list = self.catalog.list(*list);
                let message = format!("`{}` is a list; compare a column of it.", list.path);
                let columns = list.columns.iter().map(|&id| self.catalog.column(id));
                let columns = columns.filter(|column| !column.path.ends_with('*')).take(3);
                let mut paths: Vec<String> = columns.map(|column| column.path.clone()).collect();
                if list.form == ListForm::Entries {
                    paths = vec![format!("{}.<entry>", list.path)];
                }
                Err(Fault::forbidden(at, message)
                    .suggest_all(paths)
                    .suggest(format!("{} IS NULL", list.path)))
            }
        }
    }

    pub(crate) fn side(&self, expr: &Expr) -> Result<Side, Fault> {
        let at = expr.span().start;
        let literal = |literal| Ok(Side::Literal(Placed { literal, at }));
        match expr {
            Expr::Identifier(part) => self.path(std::slice::from_ref(part), at),
            Expr::CompoundIdentifier(parts) => self.path(parts, at),
            Expr::Function(function) => self.lower(function, at),
            Expr::Nested(inner) => self.side(inner),
            Expr::Value(value) => match &value.value {
                Sql::SingleQuotedString(text) => literal(Literal::Text(text.clone())),
                Sql::Number(digits, _) => literal(Literal::Number(digits.clone())),
                Sql::Boolean(boolean) => literal(Literal::Boolean(*boolean)),
                Sql::Null => literal(Literal::Null),
                _ => Err(Fault::forbidden(at, "Such a literal is not allowed.")),
            },
            Expr::BinaryOp { op, .. } => {
                let message =
                    format!("Expressions are not allowed ({op}): compare a column with a value.");
                Err(Fault::forbidden(at, message))
            }
            Expr::Tuple(_) => Err(Fault::forbidden(at, "Rows of values are not allowed.")),
            _ => Err(Fault::forbidden(
                at,
                "A column or a value is expected here.",
            )),
        }
    }

    /// The right side of a comparison, where a name that is none may have been meant as a value.
    pub(crate) fn right(&self, expr: &Expr) -> Result<Side, Fault> {
        self.side(expr).map_err(|fault| match expr {
            Expr::Identifier(name) => {
                fault.suggest(format!("'{}'", name.value.replace('\'', "''")))
            }
            _ => fault,
        })
    }

    fn path(&self, parts: &[Ident], at: Location) -> Result<Side, Fault> {
        let names: Vec<String> = parts.iter().map(|part| part.value.clone()).collect();
        let named = resolve(self.catalog, self.prefixes, &names).map_err(|unknown| {
            Fault::new(Reason::UnknownColumn, at, unknown.message)
                .suggest_all(unknown.suggestions)
                .accept(unknown.accepted)
        })?;
        Ok(Side::Column(named, at))
    }

    /// `lower(column)`: text is compared without regard to case anyway.
    fn lower(&self, function: &Function, at: Location) -> Result<Side, Fault> {
        let refused = || Fault::forbidden(at, "Functions are not allowed, except lower(column).");
        let FunctionArguments::List(arguments) = &function.args else {
            return Err(refused());
        };
        let [FunctionArg::Unnamed(FunctionArgExpr::Expr(inner))] = arguments.args.as_slice() else {
            return Err(refused());
        };
        let is_plain = function.name.to_string().eq_ignore_ascii_case("lower")
            && arguments.clauses.is_empty()
            && arguments.duplicate_treatment.is_none()
            && function.over.is_none()
            && function.filter.is_none()
            && function.within_group.is_empty()
            && function.null_treatment.is_none()
            && function.parameters == FunctionArguments::None;
        let is_column = matches!(inner, Expr::Identifier(_) | Expr::CompoundIdentifier(_));
        if !is_plain || !is_column {
            return Err(refused());
        }
        let side = self.side(inner)?;
        if let Side::Column(named, at) = &side {
            let column = self.catalog.column(self.value(named, *at)?.column);
            if column.value != ValueType::Text {
                let message = format!("`{}` is {}.", column.path, type_name(column.value));
                return Err(Fault::forbidden(*at, message));
            }
        }
        Ok(side)
    }
}
