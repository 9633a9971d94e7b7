using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Mutation;

/// <summary>The way in which a mutant replaces an expression.</summary>
internal enum Form
{
    /// <summary>Another text, evaluated in its place.</summary>
    Replaced,

    /// <summary>The opposite of a condition, which is evaluated.</summary>
    Negated,

    /// <summary>False without evaluation, where a pattern's variables must be assigned when it is true.</summary>
    AlwaysFalse,
}

/// <summary>One way to change an expression.</summary>
internal readonly record struct Variant(string Operator, Form Form, string Text);

/// <summary>The operators: possible changes of an expression.</summary>
internal sealed class Variants(SemanticModel model)
{
    /// <summary>Returns the changes of an expression; none for most.</summary>
    public IEnumerable<Variant> Of(ExpressionSyntax expression) =>
        OfOperator(expression).Concat(OfCondition(expression)).Concat(OfResult(expression));

    /// <summary>Returns the other operator of an assignment such as +=; null where there is none.</summary>
    public string? OtherAssignment(AssignmentExpressionSyntax assignment)
    {
        string? other = assignment.Kind() switch
        {
            SyntaxKind.AddAssignmentExpression => "-=",
            SyntaxKind.SubtractAssignmentExpression => "+=",
            SyntaxKind.MultiplyAssignmentExpression => "/=",
            SyntaxKind.DivideAssignmentExpression => "*=",
            SyntaxKind.OrAssignmentExpression => "&=",
            SyntaxKind.AndAssignmentExpression => "|=",
            SyntaxKind.LeftShiftAssignmentExpression => ">>=",
            SyntaxKind.RightShiftAssignmentExpression => "<<=",
            _ => null,
        };
        return other is not null && IsNumber(model.GetTypeInfo(assignment.Left).Type) ? $"{assignment.Left} {other} {assignment.Right}" : null;
    }

    /// <summary>Returns the expression with -- for ++ and vice versa; null for any other.</summary>
    public static string? OtherStep(ExpressionSyntax expression) => expression switch
    {
        PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.PostIncrementExpression } step => $"{step.Operand}--",
        PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.PostDecrementExpression } step => $"{step.Operand}++",
        PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.PreIncrementExpression } step => $"--{step.Operand}",
        PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.PreDecrementExpression } step => $"++{step.Operand}",
        _ => null,
    };

    /// <summary>Returns the type to which a changed constant must be converted; null where none is needed.</summary>
    public string? ConstantType(ExpressionSyntax expression)
    {
        if (!model.GetConstantValue(expression).HasValue)
            return null;
        TypeInfo type = model.GetTypeInfo(expression);
        return (IsNumber(type.ConvertedType) ? type.ConvertedType : type.Type)?.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat);
    }

    /// <summary>True where it declares variables, which a second text may not declare again.</summary>
    public static bool Declares(SyntaxNode node) => node.DescendantNodesAndSelf(inner => inner is not LambdaExpressionSyntax)
        .Any(inner => inner is DeclarationExpressionSyntax or SingleVariableDesignationSyntax);

    private static bool IsNumber(ITypeSymbol? type) => type is not null &&
        (type.TypeKind == TypeKind.Enum || type.SpecialType is (>= SpecialType.System_SByte and <= SpecialType.System_Double) or SpecialType.System_IntPtr
            or SpecialType.System_UIntPtr);

    private IEnumerable<Variant> OfOperator(ExpressionSyntax expression)
    {
        switch (expression)
        {
            case BinaryExpressionSyntax binary:
                return OfBinary(binary);
            case LiteralExpressionSyntax literal:
                return OfLiteral(literal);
            case IsPatternExpressionSyntax pattern:
                return OfPattern(pattern);
            case PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.LogicalNotExpression }:
                return [new Variant("negation", Form.Negated, expression is PrefixUnaryExpressionSyntax not ? not.Operand.ToString() : "")];
            case PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.UnaryMinusExpression or (int)SyntaxKind.BitwiseNotExpression } sign:
                return [new Variant("sign", Form.Replaced, sign.Operand.ToString())];
            case NameSyntax or MemberAccessExpressionSyntax when IsNamedNumber(expression):
                return [new Variant("constant", Form.Replaced, $"{expression} + 1")];
            default:
                return OtherStep(expression) is { } step ? [new Variant("step", Form.Replaced, step)] : [];
        }
    }

    private IEnumerable<Variant> OfBinary(BinaryExpressionSyntax binary)
    {
        string[] others = binary.Kind() switch
        {
            SyntaxKind.LessThanExpression => ["<=", ">="],
            SyntaxKind.LessThanOrEqualExpression => ["<", ">"],
            SyntaxKind.GreaterThanExpression => [">=", "<="],
            SyntaxKind.GreaterThanOrEqualExpression => [">", "<"],
            _ => [],
        };
        if (others.Length > 0)
            return [With("boundary", others[0]), With("comparison", others[1])];
        string? arithmetic = binary.Kind() switch
        {
            SyntaxKind.AddExpression => "-",
            SyntaxKind.SubtractExpression => "+",
            SyntaxKind.MultiplyExpression => "/",
            SyntaxKind.DivideExpression or SyntaxKind.ModuloExpression => "*",
            SyntaxKind.LeftShiftExpression => ">>",
            SyntaxKind.RightShiftExpression => "<<",
            SyntaxKind.BitwiseAndExpression or SyntaxKind.ExclusiveOrExpression => "|",
            SyntaxKind.BitwiseOrExpression => "&",
            _ => null,
        };
        if (arithmetic is not null)
            return IsNumber(model.GetTypeInfo(binary.Left).Type) && IsNumber(model.GetTypeInfo(binary.Right).Type) ? [With("arithmetic", arithmetic)] : [];
        return binary.Kind() switch
        {
            SyntaxKind.EqualsExpression or SyntaxKind.NotEqualsExpression =>
                [new Variant("equality", Form.Negated, With("", binary.IsKind(SyntaxKind.EqualsExpression) ? "!=" : "==").Text)],
            SyntaxKind.LogicalAndExpression => [With("logic", "||")],
            SyntaxKind.LogicalOrExpression => [With("logic", "&&")],
            SyntaxKind.IsExpression => [new Variant("equality", Form.Negated, $"{binary.Left} is not {binary.Right}")],
            SyntaxKind.CoalesceExpression => OfCoalesce(binary),
            _ => [],
        };

        Variant With(string name, string sign) => new(name, Form.Replaced, $"{binary.Left} {sign} {binary.Right}");
    }

    private IEnumerable<Variant> OfCoalesce(BinaryExpressionSyntax binary)
    {
        if (binary.Right is not ThrowExpressionSyntax)
            yield return new Variant("coalescing", Form.Replaced, binary.Right.ToString());
        if (model.GetTypeInfo(binary.Left).Type is { IsReferenceType: true })
            yield return new Variant("coalescing", Form.Replaced, $"{binary.Left}!");
    }

    private static IEnumerable<Variant> OfLiteral(LiteralExpressionSyntax literal)
    {
        switch (literal.Kind())
        {
            case SyntaxKind.TrueLiteralExpression:
                yield return new Variant("literal", Form.Replaced, "false");
                break;
            case SyntaxKind.FalseLiteralExpression:
                yield return new Variant("literal", Form.Replaced, "true");
                break;
            case SyntaxKind.NumericLiteralExpression:
                yield return new Variant("constant", Form.Replaced, $"{literal} + 1");
                if (Convert.ToDouble(literal.Token.Value, CultureInfo.InvariantCulture) >= 2)
                    yield return new Variant("constant", Form.Replaced, $"{literal} - 1");
                break;
        }
    }

    private static IEnumerable<Variant> OfPattern(IsPatternExpressionSyntax pattern)
    {
        yield return new Variant("pattern", Declares(pattern.Pattern) ? Form.AlwaysFalse : Form.Negated,
            Declares(pattern.Pattern) ? "false" : $"!({pattern})");
        foreach (RelationalPatternSyntax relation in pattern.Pattern.DescendantNodesAndSelf().OfType<RelationalPatternSyntax>())
        {
            SyntaxKind other = relation.OperatorToken.Kind() switch
            {
                SyntaxKind.LessThanToken => SyntaxKind.LessThanEqualsToken,
                SyntaxKind.LessThanEqualsToken => SyntaxKind.LessThanToken,
                SyntaxKind.GreaterThanToken => SyntaxKind.GreaterThanEqualsToken,
                _ => SyntaxKind.GreaterThanToken,
            };
            SyntaxToken token = SyntaxFactory.Token(other).WithTriviaFrom(relation.OperatorToken);
            yield return new Variant("boundary", Form.Replaced, pattern.ReplaceNode(relation, relation.WithOperatorToken(token)).ToString());
        }

        foreach (ConstantPatternSyntax constant in pattern.Pattern.DescendantNodesAndSelf().OfType<ConstantPatternSyntax>())
        {
            if (!constant.Expression.IsKind(SyntaxKind.NumericLiteralExpression))
                continue;
            ConstantPatternSyntax next = constant.WithExpression(SyntaxFactory.ParseExpression($"{constant.Expression} + 1"));
            yield return new Variant("constant", Form.Replaced, pattern.ReplaceNode(constant, next).ToString());
        }
    }

    private bool IsNamedNumber(ExpressionSyntax expression)
    {
        if (expression.Parent is MemberAccessExpressionSyntax { Name: var name } && name == expression)
            return false;
        if (model.GetConstantValue(expression).Value is double value && !double.IsFinite(value))
            return false; // one more is the same
        ITypeSymbol? type = model.GetSymbolInfo(expression).Symbol switch
        {
            IFieldSymbol { IsConst: true, ContainingType.TypeKind: not TypeKind.Enum } field => field.Type,
            ILocalSymbol { IsConst: true } local => local.Type,
            _ => null,
        };
        return type?.TypeKind != TypeKind.Enum && IsNumber(type);
    }

    // A condition whose negation is not written by another operator.
    private static IEnumerable<Variant> OfCondition(ExpressionSyntax expression)
    {
        if (!IsCondition(expression) || HasNegation(expression))
            return [];
        bool hasPattern = expression.DescendantNodes().Any(node => node is SingleVariableDesignationSyntax { Parent: not DeclarationExpressionSyntax });
        return [hasPattern ? new Variant("condition", Form.AlwaysFalse, "false") : new Variant("condition", Form.Negated, $"!({expression})")];
    }

    private static bool IsCondition(ExpressionSyntax expression) => expression.Parent switch
    {
        IfStatementSyntax or WhileStatementSyntax or DoStatementSyntax or WhenClauseSyntax => true,
        ForStatementSyntax loop => loop.Condition == expression,
        ConditionalExpressionSyntax choice => choice.Condition == expression,
        _ => false,
    };

    private static bool HasNegation(ExpressionSyntax expression) => expression switch
    {
        BinaryExpressionSyntax => !expression.IsKind(SyntaxKind.LogicalAndExpression) && !expression.IsKind(SyntaxKind.LogicalOrExpression),
        _ => expression is LiteralExpressionSyntax or IsPatternExpressionSyntax or PrefixUnaryExpressionSyntax,
    };

    private IEnumerable<Variant> OfResult(ExpressionSyntax expression)
    {
        if (expression.Parent is not (ReturnStatementSyntax or ArrowExpressionClauseSyntax))
            return [];
        if (expression is LiteralExpressionSyntax or RefExpressionSyntax or ThrowExpressionSyntax or DefaultExpressionSyntax)
            return [];
        return model.GetTypeInfo(expression).ConvertedType switch
        {
            null or { TypeKind: TypeKind.Error } or { SpecialType: SpecialType.System_Void } => [],
            { SpecialType: SpecialType.System_Boolean } => [new Variant("result", Form.Replaced, "true"), new Variant("result", Form.Replaced, "false")],
            var type => [new Variant("result", Form.Replaced, $"default({type.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat)})!")],
        };
    }
}
