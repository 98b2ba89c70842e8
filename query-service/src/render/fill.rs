//! Filling the full shape from a sparse document.

use events_schema::record::FieldType;

use super::index::{Index, Malformed, Node, Shape};
use super::plan::{Plan, Planned};
use super::text::Text;
use super::titles::{self, Style};

/// What a record is told by the table rather than by its document.
pub(super) struct Own<'a> {
    pub(super) service_id: &'a str,
    pub(super) build_version: &'a str,
}

impl<'a> Own<'a> {
    fn value(&self, name: &str) -> Option<&'a str> {
        match name {
            "service_id" => Some(self.service_id),
            "build_version" => Some(self.build_version),
            _ => None,
        }
    }
}

/// Writes the planned fields of a document; what it does not have stands as the plan says.
pub(super) fn record(
    plan: &Plan,
    document: &Index<'_>,
    own: &Own<'_>,
    titlecase: bool,
    out: &mut Text,
) -> Result<(), Malformed> {
    let mut fill = Fill {
        titlecase,
        found: Vec::with_capacity(plan.0.len() * 2),
        out,
    };
    let root = document.root().ok_or(Malformed(0))?;
    fill.object(plan, root, None, Some(own))
}

/// One record on its way into a text.
struct Fill<'a, 'o> {
    titlecase: bool,
    /// Values of the planned fields of every object that is open, the innermost last.
    found: Vec<Option<Node<'a>>>,
    out: &'o mut Text,
}

impl<'a> Fill<'a, '_> {
    /// `style` is that of the field in which the object stands: it is of its `cleaned`.
    fn object(
        &mut self,
        plan: &Plan,
        object: Node<'a>,
        style: Option<Style>,
        own: Option<&Own<'_>>,
    ) -> Result<(), Malformed> {
        let first = self.found.len();
        self.find(plan, object)?;
        self.out.begin('{');
        for (place, planned) in plan.0.iter().enumerate() {
            let name = planned.field.name;
            let own = own.and_then(|own| own.value(name));
            let value = self.found.get(first + place).copied().flatten();
            match (own, value) {
                (Some(own), _) => {
                    self.out.quoted_key(&planned.key);
                    self.out.string(own);
                }
                (None, Some(value)) => {
                    let inherited = style.filter(|_| name == "cleaned");
                    let own_style =
                        (self.titlecase && planned.field.titlecase).then(|| titles::style(name));
                    self.out.quoted_key(&planned.key);
                    self.field(planned, value, own_style.or(inherited))?;
                }
                (None, None) => {
                    let (key, absent) = (&planned.key, &planned.absent);
                    self.out.member(key, absent, &planned.absent_member);
                }
            }
        }
        self.out.end('}');
        self.found.truncate(first);
        Ok(())
    }

    /// Puts the values of the planned fields behind what was found, in the order of the plan; null is absent. Documents
    /// are written in the order of the fields as well, so that each is looked for where the last one was found.
    fn find(&mut self, plan: &Plan, object: Node<'a>) -> Result<(), Malformed> {
        let (first, count) = (self.found.len(), plan.0.len());
        self.found.resize(first + count, None);
        let mut from = 0;
        for (key, value) in object.pairs() {
            let name = key.unescaped()?.unwrap_or_default();
            let (before, after) = plan.0.split_at_checked(from).unwrap_or_default();
            let is_it = |planned: &Planned| planned.field.name == name;
            let place = after.iter().position(is_it).map(|place| from + place);
            let Some(place) = place.or_else(|| before.iter().position(is_it)) else {
                continue;
            };
            from = place + 1;
            if let Some(slot) = self.found.get_mut(first + place) {
                *slot = Some(value).filter(|value| value.shape() != Shape::Null);
            }
        }
        Ok(())
    }

    fn field(
        &mut self,
        planned: &Planned,
        value: Node<'a>,
        style: Option<Style>,
    ) -> Result<(), Malformed> {
        match planned.field.kind {
            FieldType::List(_) | FieldType::CleanedList(_) => self.list(planned, value),
            FieldType::Object { .. } | FieldType::Cleaned | FieldType::Periods => {
                self.object(&planned.below, value, style, None)
            }
            FieldType::TextList
            | FieldType::Map
            | FieldType::PeriodsMap
            | FieldType::Text
            | FieldType::Enum(_)
            | FieldType::Vocabulary(_)
            | FieldType::Id
            | FieldType::Url
            | FieldType::Code
            | FieldType::Date
            | FieldType::Integer
            | FieldType::Number
            | FieldType::Boolean => self.whole(value, style),
        }
    }

    fn list(&mut self, planned: &Planned, value: Node<'a>) -> Result<(), Malformed> {
        self.out.begin('[');
        for element in value.elements() {
            self.out.element();
            self.object(&planned.below, element, None, None)?;
        }
        self.out.end(']');
        Ok(())
    }

    /// A value as it stands, or a text in its style.
    fn whole(&mut self, value: Node<'a>, style: Option<Style>) -> Result<(), Malformed> {
        if let Some(style) = style
            && let Some(text) = value.unescaped()?
        {
            self.out.string(&style(&text));
        } else if self.out.is_pretty() {
            self.spread(value);
        } else {
            self.out.raw(value.json());
        }
        Ok(())
    }

    fn spread(&mut self, value: Node<'a>) {
        match value.shape() {
            Shape::List => {
                self.out.begin('[');
                for element in value.elements() {
                    self.out.element();
                    self.spread(element);
                }
                self.out.end(']');
            }
            Shape::Object => {
                self.out.begin('{');
                for (key, value) in value.pairs() {
                    self.out.quoted_key(key.json());
                    self.spread(value);
                }
                self.out.end('}');
            }
            Shape::Null | Shape::Scalar | Shape::Text => self.out.raw(value.json()),
        }
    }
}
