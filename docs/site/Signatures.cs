using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace DocsSite;

/// <summary>Types and members as C# writes them.</summary>
internal static class Signatures
{
    private static readonly Dictionary<Type, string> Keywords = new()
    {
        [typeof(void)] = "void",
        [typeof(object)] = "object",
        [typeof(string)] = "string",
        [typeof(bool)] = "bool",
        [typeof(char)] = "char",
        [typeof(byte)] = "byte",
        [typeof(sbyte)] = "sbyte",
        [typeof(short)] = "short",
        [typeof(ushort)] = "ushort",
        [typeof(int)] = "int",
        [typeof(uint)] = "uint",
        [typeof(long)] = "long",
        [typeof(ulong)] = "ulong",
        [typeof(float)] = "float",
        [typeof(double)] = "double",
        [typeof(decimal)] = "decimal",
    };

    public static string Of(MemberInfo member) => member switch
    {
        Type type => Declaration(type),
        FieldInfo { IsLiteral: true } field => field.DeclaringType!.IsEnum
            ? string.Create(CultureInfo.InvariantCulture, $"{field.Name} = {Convert.ToInt64(field.GetRawConstantValue(), CultureInfo.InvariantCulture)}")
            : $"const {NameOf(field.FieldType)} {field.Name} = {Literal(field.GetRawConstantValue())}",
        FieldInfo field => $"{(field.IsStatic ? "static " : "")}{(field.IsInitOnly ? "readonly " : "")}{NameOf(field.FieldType)} {field.Name}",
        EventInfo raised => $"event {NameOf(raised.EventHandlerType!)} {raised.Name}",
        PropertyInfo property => Property(property),
        ConstructorInfo constructor => $"{Simple(constructor.DeclaringType!)}({Parameters(constructor)})",
        MethodInfo method => Method(method),
        _ => member.Name,
    };

    public static string NameOf(Type type)
    {
        if (type.IsByRef)
            return NameOf(type.GetElementType()!);
        if (type.IsArray)
            return NameOf(type.GetElementType()!) + "[]";
        if (Nullable.GetUnderlyingType(type) is { } underlying)
            return NameOf(underlying) + "?";
        if (Keywords.TryGetValue(type, out string? keyword))
            return keyword;
        string outer = type is { IsNested: true, IsGenericParameter: false } ? NameOf(type.DeclaringType!) + "." : "";
        return outer + Simple(type) + (type.IsGenericType ? $"<{string.Join(", ", type.GetGenericArguments().Select(NameOf))}>" : "");
    }

    private static string Simple(Type type) => type.Name.Split('`')[0];

    private static string Declaration(Type type)
    {
        string kind = type switch
        {
            { IsEnum: true } => "enum",
            { IsInterface: true } => "interface",
            { IsValueType: true } => (type.IsByRefLike ? "ref " : "") + "struct",
            { IsAbstract: true, IsSealed: true } => "static class",
            { IsAbstract: true } => "abstract class",
            { IsSealed: true } => "sealed class",
            _ => "class",
        };
        string[] bases = [.. Bases(type).Select(NameOf)];
        return $"{kind} {NameOf(type)}{(bases.Length > 0 ? " : " + string.Join(", ", bases) : "")}";
    }

    private static IEnumerable<Type> Bases(Type type)
    {
        if (type is { IsClass: true, BaseType: { } parent } && parent != typeof(object))
            yield return parent;
        if (!type.IsEnum)
        {
            foreach (Type implemented in type.GetInterfaces().Where(one => one.IsPublic && !one.Name.StartsWith("IEquatable", StringComparison.Ordinal)))
                yield return implemented;
        }
    }

    private static string Property(PropertyInfo property)
    {
        MethodInfo? set = property.SetMethod is { } setter && ApiPages.IsVisible(setter) ? setter : null;
        bool isInit = set?.ReturnParameter.GetRequiredCustomModifiers().Contains(typeof(IsExternalInit)) == true;
        string name = property.GetIndexParameters() is { Length: > 0 } indexes ? $"this[{string.Join(", ", indexes.Select(Parameter))}]" : property.Name;
        string required = property.IsDefined(typeof(RequiredMemberAttribute)) ? "required " : "";
        string mark = IsNullable(property.PropertyType, new NullabilityInfoContext().Create(property).ReadState) ? "?" : "";
        return $"{Modifiers(property.GetMethod ?? property.SetMethod!)}{required}{NameOf(property.PropertyType)}{mark} {name} "
            + $"{{ {(property.GetMethod is { } get && ApiPages.IsVisible(get) ? "get; " : "")}{(set is null ? "" : isInit ? "init; " : "set; ")}}}";
    }

    private static string Method(MethodInfo method)
    {
        string generics = method.IsGenericMethod ? $"<{string.Join(", ", method.GetGenericArguments().Select(NameOf))}>" : "";
        string reference = method.ReturnType.IsByRef ? "ref " : "";
        string mark = IsNullable(method.ReturnType, new NullabilityInfoContext().Create(method.ReturnParameter).ReadState) ? "?" : "";
        return $"{Modifiers(method)}{reference}{NameOf(method.ReturnType)}{mark} {method.Name}{generics}({Parameters(method)})";
    }

    private static string Modifiers(MethodInfo method) => (method.IsFamily || method.IsFamilyOrAssembly ? "protected " : "") + method switch
    {
        { IsStatic: true } => "static ",
        { DeclaringType.IsInterface: true } => "",
        { IsAbstract: true } => "abstract ",
        { IsVirtual: true, IsFinal: false } => method.GetBaseDefinition() == method ? "virtual " : "override ",
        _ => "",
    };

    private static string Parameters(MethodBase method) => string.Join(", ", method.GetParameters().Select(Parameter));

    private static string Parameter(ParameterInfo parameter)
    {
        string by = !parameter.ParameterType.IsByRef ? "" : parameter.IsOut ? "out " : parameter.IsIn ? "in " : "ref ";
        string mark = IsNullable(parameter.ParameterType, new NullabilityInfoContext().Create(parameter).WriteState) ? "?" : "";
        string usual = parameter.HasDefaultValue ? $" = {Literal(parameter.DefaultValue)}" : "";
        return $"{by}{NameOf(parameter.ParameterType)}{mark} {parameter.Name}{usual}";
    }

    private static bool IsNullable(Type type, NullabilityState state) =>
        state == NullabilityState.Nullable && Nullable.GetUnderlyingType(type.IsByRef ? type.GetElementType()! : type) is null;

    private static string Literal(object? value) => value switch
    {
        null => "default",
        string text => $"\"{text}\"",
        bool flag => flag ? "true" : "false",
        _ => Convert.ToString(value, CultureInfo.InvariantCulture)!,
    };
}
