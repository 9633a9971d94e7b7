using System.Reflection;

namespace DocsSite;

/// <summary>The ids under which the compiler writes docstrings.</summary>
internal static class DocIds
{
    public static string Of(MemberInfo member) => member switch
    {
        Type type => "T:" + NameOf(type),
        FieldInfo => $"F:{Owner(member)}.{member.Name}",
        EventInfo => $"E:{Owner(member)}.{member.Name}",
        PropertyInfo property => $"P:{Owner(member)}.{member.Name}{Parameters(property.GetIndexParameters())}",
        ConstructorInfo constructor => $"M:{Owner(member)}.#ctor{Parameters(constructor.GetParameters())}",
        MethodInfo method => $"M:{Owner(member)}.{method.Name}{(method.IsGenericMethod ? $"``{method.GetGenericArguments().Length}" : "")}"
            + Parameters(method.GetParameters()) + (method.Name is "op_Implicit" or "op_Explicit" ? "~" + Reference(method.ReturnType) : ""),
        _ => throw new ArgumentException(member.ToString()),
    };

    private static string Owner(MemberInfo member) => NameOf(member.DeclaringType!);

    private static string NameOf(Type type) => (type.IsGenericType ? type.GetGenericTypeDefinition() : type).FullName!.Replace('+', '.');

    private static string Parameters(ParameterInfo[] parameters) =>
        parameters.Length == 0 ? "" : $"({string.Join(',', parameters.Select(parameter => Reference(parameter.ParameterType)))})";

    private static string Reference(Type type)
    {
        if (type.IsByRef)
            return Reference(type.GetElementType()!) + "@";
        if (type.IsPointer)
            return Reference(type.GetElementType()!) + "*";
        if (type.IsArray)
            return Reference(type.GetElementType()!) + "[]";
        if (type.IsGenericParameter)
            return (type.DeclaringMethod is null ? "`" : "``") + type.GenericParameterPosition;
        if (!type.IsGenericType)
            return NameOf(type);
        string name = type.GetGenericTypeDefinition().FullName!.Replace('+', '.').Split('`')[0];
        return $"{name}{{{string.Join(',', type.GetGenericArguments().Select(Reference))}}}";
    }
}
