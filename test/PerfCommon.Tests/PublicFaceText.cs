using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace PerfCommon.Tests;

/// <summary>Prints what a stranger sees of an assembly: a line for each public type and each of its public members, sorted.</summary>
/// <remarks>What the compiler adds to records (equality, copying, printing) is left out.</remarks>
internal static class PublicFaceText
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

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
    };

    public static List<string> Of(Assembly assembly) =>
        [.. assembly.GetExportedTypes().SelectMany(LinesOf).Order(StringComparer.Ordinal)];

    private static IEnumerable<string> LinesOf(Type type)
    {
        string name = type.FullName!.Replace('+', '.');
        return type.GetMembers(Declared).Where(IsSeen).Select(member => $"{name}.{LineOf(member)}").Prepend($"{name} : {KindOf(type)}");
    }

    private static bool IsSeen(MemberInfo member) => member switch
    {
        Type => false, // printed by itself
        FieldInfo { IsSpecialName: true } => false,
        MethodInfo { IsSpecialName: true } => false,
        _ => !member.IsDefined(typeof(CompilerGeneratedAttribute)),
    };

    private static string KindOf(Type type) => type switch
    {
        { IsEnum: true } => $"enum {NameOf(Enum.GetUnderlyingType(type))}",
        { IsByRefLike: true } => "ref struct",
        { IsValueType: true } => "struct",
        { IsAbstract: true, IsSealed: true } => "static class",
        { IsInterface: true } => "interface",
        { IsAbstract: true } => "abstract class",
        _ => "class",
    };

    private static string LineOf(MemberInfo member) => member switch
    {
        FieldInfo { IsLiteral: true } field => $"{field.Name} = {Convert.ToString(ValueOf(field), CultureInfo.InvariantCulture)}",
        FieldInfo field => $"{field.Name} : {NameOf(field.FieldType)}",
        PropertyInfo property => $"{property.Name} : {NameOf(property.PropertyType)} {{ {string.Join(' ', AccessorsOf(property))} }}",
        MethodInfo method => $"{method.Name}({ParametersOf(method)}) : {NameOf(method.ReturnType)}",
        ConstructorInfo constructor => $"new({ParametersOf(constructor)})",
        _ => $"{member.Name} : {member.MemberType}",
    };

    private static object? ValueOf(FieldInfo field) => field.GetRawConstantValue();

    private static IEnumerable<string> AccessorsOf(PropertyInfo property)
    {
        if (property.GetMethod is { IsPublic: true })
            yield return "get;";
        if (property.SetMethod is { IsPublic: true } set)
            yield return set.ReturnParameter.GetRequiredCustomModifiers().Contains(typeof(IsExternalInit)) ? "init;" : "set;";
    }

    private static string ParametersOf(MethodBase method) => string.Join(", ", method.GetParameters().Select(parameter =>
        $"{(parameter.IsOut ? "out " : parameter.IsIn ? "in " : parameter.ParameterType.IsByRef ? "ref " : "")}"
        + $"{NameOf(parameter.ParameterType)} {parameter.Name}{(parameter.HasDefaultValue ? " = ..." : "")}"));

    private static string NameOf(Type type) => type switch
    {
        { IsByRef: true } or { IsArray: true } => NameOf(type.GetElementType()!) + (type.IsArray ? "[]" : ""),
        { IsGenericType: true } when Nullable.GetUnderlyingType(type) is { } value => $"{NameOf(value)}?",
        { IsGenericType: true } => $"{type.Name.Split('`')[0]}<{string.Join(", ", type.GetGenericArguments().Select(NameOf))}>",
        _ => Keywords.GetValueOrDefault(type, type.Name),
    };
}
